public import PostgresClient
public import Reports

extension ExtensionReport {
    /// Reads the report, which calls no version healthy that the doctor reports at present.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> ExtensionReport
    {
        try run(query, on: connection, now: now) {
            let examination = Examination(app: query.app, asOf: now)
            // If the window ends before the present, there are no findings.
            guard query.window.to > examination.settled.lowerBound else { return { _, _ in .reports } }
            let facts = try SilentExtensions.read(examination, on: connection)
            let silences = SilentExtensions.silences(facts, examination).filter { $0.course != .isOver }
            // Versions that have reported almost nothing for a week.
            let mute = NeverReportingVersions.mute(facts, examination.rules).filter(\.reports)
            return { build, lastReportedAt in
                if let silence = silences.first(where: { $0.fact.build == build }) {
                    return lastReportedAt.map { $0 >= silence.hours.first } ?? false ? .reportsLess : .silent
                }
                return mute.contains { $0.build == build } ? .silent : .reports
            }
        }
    }
}
