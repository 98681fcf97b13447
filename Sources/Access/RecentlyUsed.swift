/// A dictionary of bounded size that forgets the least recently used entries.
///
/// Entries are kept in two generations. New and used entries are in the young one. Once that is
/// full, it becomes the old one, and entries left in the previous old one are forgotten. This costs
/// one more lookup than a dictionary, and never discards entries that are in use.
public struct RecentlyUsed<Key: Hashable, Value> {
    private let generationSize: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: the maximum number of entries; at least the half used most recently is kept.
    public init(capacity: Int) {
        generationSize = max(1, capacity / 2)
    }

    public var count: Int { young.count + old.count }

    /// Reading counts as use.
    public subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            keep(value, for: key)
            return value
        }
        set {
            old[key] = nil
            guard let newValue else { return young[key] = nil }
            keep(newValue, for: key)
        }
    }

    private mutating func keep(_ value: Value, for key: Key) {
        if young.count >= generationSize, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
