internal import DeliveryModel
internal import Synchronization

/// Remembers when each app was last noted as heard from, so that it is written once a minute and not with every event.
final class HeardApps: Sendable {
    private let lastNoted = Mutex<[Int64: Instant]>([:])

    /// Those of the apps that are to be noted again.
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
