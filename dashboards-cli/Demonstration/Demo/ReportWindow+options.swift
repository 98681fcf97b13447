internal import Instants
internal import Reports
internal import Simulation
internal import Wording

extension ReportWindow {
    /// The options for this window, in UTC: `--from 2026-03-01 --to 2026-03-02`.
    var options: String { "--from \(Self.word(from)) --to \(Self.word(to))" }

    private static func word(_ instant: Instant) -> String {
        let isMidnight = ReportTimeZone.utc.startOfDay(instant) == instant
        return isMidnight
            ? LocalTime(instant, utcOffsetMinutes: 0).date : instant.rfc3339.replacing(".000Z", with: "Z")
    }

    /// The window in which traffic with these settings is sent.
    init(of settings: SimulationSettings) throws(ReportError) {
        let start = Instant(millisecondsSinceEpoch: settings.start)
        try self.init(from: start, to: start + .hours(Int64(settings.hours)))
    }
}
