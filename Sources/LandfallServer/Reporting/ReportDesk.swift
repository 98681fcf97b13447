internal import DeliveryModel
internal import HTTPTypes
internal import PostgresClient
internal import Rendering

/// Computes reports and writes their documents on the threads of the cell's pool for reports, within the
/// server's limits.
struct ReportDesk: Sendable {
    let cells: Cells
    let limits: ServerConfiguration.ReportLimits

    /// Answers a question, and turns the report into what the caller needs.
    ///
    /// - Throws: 400 for a window that is too long or a report with too many rows, 504 if it takes too long.
    func answer<Value: Sendable>(
        _ question: ReportQuestion, in cell: CellNumber,
        _ write: @escaping @Sendable (RequestedReport, ReportTag, PostgresConnection) throws -> Value
    ) async throws -> Value {
        try limits.check(question)
        return try await read(in: cell) { [limits] connection in
            let requested = try question.response(connection, limits.rows)
            let document = requested.shown.document
            try limits.check(document)
            return try write(requested, ReportTag(of: document), connection)
        }
    }

    /// Runs the body with a connection, a second time if the connection turns out to be broken, but not if a
    /// query takes too long.
    ///
    /// - Throws: 504 if it takes too long.
    func read<Value: Sendable>(
        in cell: CellNumber, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let asked = ContinuousClock.now
        let cell = try cells[cell]
        do {
            return try await cell.reportPool.withConnection(attempts: 2) { [limits] connection in
                let started = ContinuousClock.now
                do {
                    return try body(connection)
                } catch let error as PostgresError {
                    if case .tooManyRows = error { throw Problem.tooManyRows(limits.rows) }
                    // If the server's limit fails, it is silent: the client's timeout closed the connection.
                    let isTooLate =
                        error.isTransient && started.duration(to: .now) >= limits.statementTimeout
                    guard error.tookTooLong || isTooLate else { throw error }
                    cell.metrics.database.failed(error)
                    throw Problem.reportTimeout
                }
            }
        } catch let error as PostgresError
            where error.isTransient && asked.duration(to: .now) >= limits.statementTimeout
        {
            // It waited for other reports, which took that long.
            throw Problem.reportTimeout
        }
    }
}

extension PostgresError {
    /// Whether the statement, or waiting for a lock, took too long.
    fileprivate var tookTooLong: Bool { sqlState == .queryCanceled || sqlState == .lockNotAvailable }
}

extension Problem {
    fileprivate static let reportTimeout = Problem(
        .gatewayTimeout, "report_timeout",
        "the report took longer than this server allows: narrow the window, or use fewer dimensions")
}
