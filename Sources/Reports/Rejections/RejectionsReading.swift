internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Reads from the database why notifications were rejected.
struct RejectionsReading {
    /// The query, with the standard breakdown if it had none.
    let query: ReportQuery
    private let connection: PostgresConnection
    private let segmentIDs: [Int64]?
    private let counters: Counters

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        let query = try query.clamped(on: connection)
        self.query = query.by.isEmpty ? query.cut(by: RejectionsReport.standardBreakdown) : query
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
        self.counters = try Counters(query, on: connection)
    }

    /// Shares are of all attempts under a key, and more of these keys are read than the report has
    /// rows: at most this many for each row that it may have.
    private static let keysOfRow = 10

    private var traits: [Dimension] { query.by.filter(\.isTrait) }

    func counted() throws(PostgresError) -> [(key: RowKey, response: RejectedResponse, rejected: Int64)] {
        let parameters =
            query.parameters(by: query.by, segmentIDs: segmentIDs) + [
                .value(traits.dropFirst(2).first?.rawValue)
            ]
        var counted: [(key: RowKey, response: RejectedResponse, rejected: Int64)] = []
        let found = try connection.query(.Reports.rejections, parameters, mostRows: query.mostRows)
        for row in found {
            counted.append(
                (
                    key: try RowKey(row, by: query.by), response: try RejectedResponse(row),
                    rejected: try row.get("rejected")
                ))
        }
        return counted
    }

    /// The attempts of each key, including keys without a rejection: there may be many of these,
    /// and they are not rows of the report.
    ///
    /// - Throws: ``ReportError/tooManyKeys(_:)``, `PostgresError`.
    func attempts() throws -> [RowKey: RejectionsReport.Attempts] {
        let most = query.mostRows.map { $0 * Self.keysOfRow }
        do {
            return try attempts(most: most)
        } catch {
            guard let most, case .tooManyRows = error else { throw error }
            throw ReportError.tooManyKeys(most)
        }
    }

    private func attempts(most: Int?) throws(PostgresError) -> [RowKey: RejectionsReport.Attempts] {
        var attempts: [RowKey: RejectionsReport.Attempts] = [:]
        guard traits.count <= 2 else {
            let found = try connection.query(.Reports.attemptedByTraits, attemptedParameters, mostRows: most)
            for row in found {
                attempts[try RowKey(row, by: query.by)] = .init(
                    attempted: try row.get("attempted"), rejected: try row.get("rejected"))
            }
            return attempts
        }
        for row in try counters.rows(most: most) {
            let attempted = row.counts[.attempted]
            attempts[row.key] = .init(attempted: attempted, rejected: attempted - row.counts[.accepted])
        }
        return attempts
    }

    /// The same totals as in the funnel.
    func totals() throws(PostgresError) -> MeasureCounts { try counters.totals() }

    private var attemptedParameters: [PostgresParameter] {
        let parameters = query.parameters(by: [], segmentIDs: segmentIDs)
        let (bounds, names, segments) = (parameters[..<3], parameters[7..<9], parameters[11...])
        return Array(bounds + names + segments) + traits.map { .value($0.rawValue) }
    }
}
