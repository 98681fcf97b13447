internal import DeliveryModel
internal import Synchronization

/// Remembers when rows were touched, so that the database is not queried again before the next touch is due.
///
/// A table with one place per hash: a new entry overwrites the old one, and a forgotten row is queried again.
final class RecentTouches<Key: Hashable & Sendable>: Sendable {
    struct Touch {
        /// The id of the row.
        let id: Int64
        let at: Instant
    }

    private let places: Mutex<[(key: Key, touch: Touch)?]>
    private let interval: Span

    /// - Parameter interval: how long after a touch the next one is due.
    init(interval: Span = TokenRules.writeInterval, capacity: Int = 1 << 17) {
        self.interval = interval
        places = Mutex([(key: Key, touch: Touch)?](repeating: nil, count: capacity))
    }

    /// The signs that may have to be written, and the row ids of the others.
    func recall(_ signs: [Key: Instant]) -> (due: [Key: Instant], known: [Key: Int64]) {
        var due: [Key: Instant] = [:]
        var known: [Key: Int64] = [:]
        places.withLock { places in
            for (key, at) in signs {
                if let (touched, touch) = places[Self.place(of: key, in: places)], touched == key,
                    at - touch.at < interval
                {
                    known[key] = touch.id
                } else {
                    due[key] = at
                }
            }
        }
        return (due, known)
    }

    /// The row ids of these keys, as far as they are remembered.
    func ids(of keys: some Sequence<Key>) -> [Key: Int64] {
        places.withLock { places in
            keys.reduce(into: [:]) { ids, key in
                if let (touched, touch) = places[Self.place(of: key, in: places)], touched == key {
                    ids[key] = touch.id
                }
            }
        }
    }

    /// Call it once the touches are committed.
    func remember(_ touched: [Key: Touch]) {
        places.withLock { places in
            for (key, touch) in touched { places[Self.place(of: key, in: places)] = (key, touch) }
        }
    }

    private static func place(of key: Key, in places: [(key: Key, touch: Touch)?]) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(places.count))
    }
}
