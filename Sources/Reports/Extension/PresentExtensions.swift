internal import Access
internal import Instants
internal import PostgresClient

/// The doctor's current findings about the extensions of each version, so that the report does not call a version healthy that
/// the doctor reports.
struct PresentExtensions {
    /// The versions that report less than before, with the first hour in which they did.
    private var silentSince: [AppBuild: Instant] = [:]
    /// The versions that have reported almost nothing for a week.
    private var mute: Set<AppBuild> = []

    /// - Parameter query: a query. If its window ends before the present, there are no findings.
    init(_ query: ReportQuery, now: Instant, on connection: PostgresConnection) throws {
        let examination = Examination(app: query.app, asOf: now)
        guard query.window.to > examination.settled.lowerBound else { return }
        let facts = try SilentExtensions.read(examination, on: connection)
        for silence in SilentExtensions.silences(facts, examination) where silence.course != .isOver {
            silentSince[silence.fact.build] = silence.hours.first
        }
        mute = Set(NeverReportingVersions.mute(facts, examination.rules).filter(\.reports).map(\.build))
    }

    /// The health of a version that reported arrivals in the window.
    func health(of build: AppBuild, lastReportedAt: Instant?) -> ExtensionReport.Health {
        if let start = silentSince[build] {
            return lastReportedAt.map { $0 >= start } ?? false ? .reportsLess : .silent
        }
        return mute.contains(build) ? .silent : .reports
    }
}
