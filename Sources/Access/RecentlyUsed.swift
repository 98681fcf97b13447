/// A dictionary of bounded size that forgets what was not used for longest.
///
/// Entries live in two generations. New and used ones are in the young one; once that is full it becomes the old one, and
/// what stayed in the old one without being used is forgotten. That costs one look-up more than a dictionary, and never
/// throws away what is in use.
public struct RecentlyUsed<Key: Hashable, Value> {
    private let generationSize: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: the most entries it holds; at least half of them are the ones used last.
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
