/// How much lies in the tables when reports are measured.
struct ReportsBenchSettings: Sendable, Encodable {
    /// Notifications of 30 days, stage by stage, from few to many: what grows with them shows between the first and the last.
    var rows = [1_000_000, 10_000_000]
    /// With a token each.
    var installations = 1_000_000
    /// Each report is asked so often, and once before.
    var repetitions = 7

    static let full = ReportsBenchSettings()
    static let quick = ReportsBenchSettings(
        rows: [100_000, 1_000_000], installations: 100_000, repetitions: 3)

    /// Fewer rows, of which the first stage has a tenth, and no more installations than rows.
    func limited(to mostRows: Int) -> ReportsBenchSettings {
        var settings = self
        settings.rows = [mostRows / 10, mostRows]
        settings.installations = min(installations, mostRows)
        return settings
    }
}
