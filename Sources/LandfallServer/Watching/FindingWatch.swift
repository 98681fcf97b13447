internal import Access
internal import Logging
internal import PostgresClient
internal import Reports

/// Examines every app as `landfall doctor` does, and records which findings begin, continue and are over. Of several servers one does
/// this at a time; the others skip their turn.
struct FindingWatch: Sendable {
    let logger: Logger

    /// If an app cannot be examined, that is logged, and the others are.
    ///
    /// - Parameter isStopped: called between apps; `true` ends the turn.
    /// - Throws: `LockTaken`; `PostgresError` if the connection can no longer be used.
    func look(on connection: PostgresConnection, isStopped: () -> Bool = { false }) throws {
        try connection.withLock(.findings) { _ in
            // In random order: an app whose examination breaks the connection must not delay the same other apps every time.
            for app in try AppDirectory(connection).apps().shuffled() where !isStopped() {
                do {
                    try examine(app, on: connection)
                } catch let error where (error as? PostgresError)?.endsConnection != true {
                    logger.error(
                        "the findings of an app could not be recorded; the next turn tries again",
                        metadata: ["app": "\(app.slug)", "error": "\(error)"])
                }
            }
        }
    }

    /// Examines the app by PostgreSQL's clock, because the servers' clocks may differ.
    private func examine(_ app: App, on connection: PostgresConnection) throws {
        let examination = Examination(app: app, asOf: try connection.clock())
        let patient = try DoctorReport.examine(examination, on: connection)
        let report = DoctorReport(asOf: examination.asOf, hours: examination.hours, patients: [patient])
        try FindingEpisodes.record(report, now: examination.asOf, on: connection)
    }
}
