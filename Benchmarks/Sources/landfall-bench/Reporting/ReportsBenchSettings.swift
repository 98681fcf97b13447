/// The number of rows in the tables while reports are measured.
struct ReportsBenchSettings: Sendable, Encodable {
    /// Notifications of 30 days, stage by stage, from few to many: the difference between the first and last
    /// stage shows which reports slow down as they grow.
    var rows = [1_000_000, 10_000_000]
    /// Each has one token.
    var installations = 1_000_000
    /// The number of times each report is timed, after one run that is not.
    var repetitions = 7

    static let full = ReportsBenchSettings()
    static let quick = ReportsBenchSettings(
        rows: [100_000, 1_000_000], installations: 100_000, repetitions: 3)

    /// Settings with at most this many rows in the last stage, a tenth of them in the first, and no more
    /// installations than rows.
    func limited(to mostRows: Int) -> ReportsBenchSettings {
        var settings = self
        settings.rows = [mostRows / 10, mostRows]
        settings.installations = min(installations, mostRows)
        return settings
    }
}
