internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Reads from the database why notifications were rejected.
struct RejectionsReading {
    private let connection: PostgresConnection
    private let counters: Counters

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        counters = try Counters(
            query.by.isEmpty ? query.cut(by: RejectionsReport.standardBreakdown) : query, on: connection)
        self.connection = connection
    }

    /// The query, with the standard breakdown if it had none.
    var query: ReportQuery { counters.query }

    /// Shares are of all attempts under a key, and more of these keys are read than the report has
    /// rows: at most this many for each row that it may have.
    private static let keysOfRow = 10

    /// The rejected notifications of each key and response, by time, then the most frequent first; and the attempts of each key,
    /// including keys without a rejection: there may be many of these.
    ///
    /// - Throws: ``ReportError/tooManyKeys(_:)``, `PostgresError`.
    func read() throws -> (counted: [RejectionsReport.Counted], attempts: [RowKey: RejectionsReport.Attempts])
    {
        let found = try rowsByResponse()
        var attempts: [RowKey: RejectionsReport.Attempts] = [:]
        for (row, _) in found { attempts[row.key, default: .init(MeasureCounts())] += .init(row.counts) }
        let rejected = found.filter { $0.responseID != 0 }
        if let most = query.mostRows, rejected.count > most {
            throw PostgresError.tooManyRows(statement: SQLFile.Reports.counters.name, most: most)
        }
        let responses = try responses(Set(rejected.map(\.responseID)))
        var counted: [(period: Int, row: RejectionsReport.Counted)] = []
        var (period, position) = (rejected.first?.row.key.period, 0)
        for (row, id) in rejected {
            if row.key.period != period { (period, position) = (row.key.period, position + 1) }
            guard let response = responses[id] else {
                throw PostgresError.unexpectedResult(
                    statement: SQLFile.Reports.responses.name, detail: "no response \(id)")
            }
            counted.append((position, (row.key, response, RejectionsReport.Attempts(row.counts).rejected)))
        }
        counted.sort { left, right in
            if left.period != right.period { return left.period < right.period }
            if left.row.rejected != right.row.rejected { return left.row.rejected > right.row.rejected }
            if left.row.key != right.row.key { return left.row.key.inWords < right.row.key.inWords }
            return left.row.response.words < right.row.response.words
        }
        return (counted.map(\.row), attempts)
    }

    /// The totals of the funnel.
    func totals() throws(PostgresError) -> MeasureCounts { try counters.totals() }

    private func rowsByResponse() throws -> [(row: CountedRow, responseID: Int64)] {
        let most = query.mostRows.map { $0 * Self.keysOfRow }
        do {
            return try counters.rowsByResponse(most: most)
        } catch {
            guard let most, case .tooManyRows = error else { throw error }
            throw ReportError.tooManyKeys(most)
        }
    }

    private func responses(_ ids: Set<Int64>) throws(PostgresError) -> [Int64: RejectedResponse] {
        var responses: [Int64: RejectedResponse] = [:]
        for row in try connection.query(.Reports.responses, [.array(Array(ids))]) {
            responses[try row.get("response_id")] = try row.decode(RejectedResponse.self)
        }
        return responses
    }
}
