internal import DeliveryModel
internal import Synchronization

/// Remembers when rows were touched, so that nobody asks the database again before the next touch is due.
///
/// A table with one place per hash: what falls on a taken place takes it, and what is forgotten is asked for once more.
final class RecentTouches<Key: Hashable & Sendable>: Sendable {
    private struct Touch {
        let key: Key
        let at: Instant
    }

    private let places: Mutex<[Touch?]>

    init(capacity: Int = 1 << 17) {
        places = Mutex([Touch?](repeating: nil, count: capacity))
    }

    /// Those of the signs that may have to be written.
    func due(_ signs: [Key: Instant]) -> [Key: Instant] {
        places.withLock { places in
            signs.filter { key, at in
                guard let touch = places[Self.place(of: key, in: places)], touch.key == key else {
                    return true
                }
                return at - touch.at >= TokenRules.writeInterval
            }
        }
    }

    /// To be called when the touches are committed.
    func remember(_ touched: [Key: Instant]) {
        places.withLock { places in
            for (key, at) in touched { places[Self.place(of: key, in: places)] = Touch(key: key, at: at) }
        }
    }

    private static func place(of key: Key, in places: [Touch?]) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(places.count))
    }
}
