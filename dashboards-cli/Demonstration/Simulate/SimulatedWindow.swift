internal import ArgumentParser
internal import Instants

/// The window in which simulated notifications are sent.
struct SimulatedWindow {
    let start: Instant
    let hours: Int

    var end: Instant { start + .hours(Int64(hours)) }

    init(endingAt end: Instant, hours: Int) {
        start = end - .hours(Int64(hours))
        self.hours = hours
    }

    /// Hours after the end in which late events still come, if these hours have passed.
    static let mostLateHours = 48

    /// The end of the last complete quarter hour, the shortest time that counters distinguish; so today's figures are complete.
    static func latestEnd(_ now: Instant) -> Instant { now.startOfQuarter }

    /// Reads an instant, or a date as the midnight in UTC at which it begins.
    static func read(_ text: String) throws -> Instant {
        guard let instant = Instant(rfc3339: text) ?? Instant(rfc3339: "\(text)T00:00:00Z") else {
            throw ValidationError("Use a date (2026-03-01) or an instant (2026-03-01T09:30:00+01:00).")
        }
        return instant
    }
}
