internal import Instants
internal import Synchronization

/// Caches values for some seconds. While a whole app version is rejected, every batch needs the same ones.
final class TimedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var lifetime: Span { .seconds(10) }
    private let known = Mutex<[Key: (value: Value, at: Instant)]>([:])

    /// The cached values of these keys.
    func values(of keys: some Sequence<Key>, now: Instant) -> [Key: Value] {
        known.withLock { known in
            known = known.filter { now - $0.value.at < Self.lifetime }
            return keys.reduce(into: [:]) { $0[$1] = known[$1]?.value }
        }
    }

    func remember(_ values: [Key: Value], now: Instant) {
        known.withLock { $0.merge(values.mapValues { (value: $0, at: now) }) { _, new in new } }
    }
}
