internal import Instants
internal import Synchronization

/// Remembers when each app was last recorded as heard from, so that this is written once a minute and not with every event.
final class HeardApps: Sendable {
    private let lastNoted = Mutex<[Int64: Instant]>([:])

    /// The apps that are to be recorded again.
    func due(_ heard: [Int64: Instant]) -> [Int64: Instant] {
        lastNoted.withLock { lastNoted in
            let due = heard.filter { appID, at in
                lastNoted[appID].map { at - $0 >= Span.minutes(1) } ?? true
            }
            lastNoted.merge(due) { _, new in new }
            return due
        }
    }
}
