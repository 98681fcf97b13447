internal import Foundation

/// Events that the disk did not accept. They are kept in memory until it does, or until the server has them.
final class Unwritten: Sendable {
    struct Event {
        var bytes: Data
        var identity: String
        var occurredAt: Int64
    }

    private let kept = Locked<[Event]>([])
    private static let most = 100

    var events: [Event] { kept.use { $0 } }

    /// - Returns: the number of events that are dropped for it.
    func keep(_ event: Event) -> Int {
        kept.use { kept in
            guard !kept.contains(where: { $0.identity == event.identity }) else { return 0 }
            let surplus = max(kept.count + 1 - Self.most, 0)
            kept = kept.dropFirst(surplus) + [event]
            return surplus
        }
    }

    func remove(_ events: [Data]) {
        guard !events.isEmpty else { return }
        kept.use { kept in kept.removeAll { events.contains($0.bytes) } }
    }

    func removeAll() {
        kept.use { $0 = [] }
    }

    /// Writes them to the spool, if the disk accepts them by now.
    func write(to spool: Spool) {
        for event in events {
            guard (try? spool.write(event.bytes, identity: event.identity, at: event.occurredAt)) != nil
            else {
                return
            }
            remove([event.bytes])
        }
    }
}
