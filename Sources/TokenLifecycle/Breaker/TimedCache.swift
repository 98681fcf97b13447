internal import Instants
internal import Synchronization

/// Caches values for some seconds. While a whole app version is rejected, every batch needs the same ones.
final class TimedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var lifetime: Span { .seconds(10) }
    private let known = Mutex<[Key: (value: Value, at: Instant)]>([:])

    /// The values of these keys.
    ///
    /// - Parameter read: called with the keys that are not cached, if there are any.
    func values(of keys: [Key], now: Instant, read: ([Key]) throws -> [Key: Value]) rethrows -> [Key: Value] {
        let cached: [Key: Value] = known.withLock { known in
            known = known.filter { now - $0.value.at < Self.lifetime }
            return keys.reduce(into: [:]) { $0[$1] = known[$1]?.value }
        }
        let unknown = keys.filter { cached[$0] == nil }
        guard !unknown.isEmpty else { return cached }
        let values = try read(unknown)
        known.withLock { $0.merge(values.mapValues { (value: $0, at: now) }) { _, new in new } }
        return cached.merging(values) { _, new in new }
    }
}
