internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// The distinct counts of one query, and their accuracy.
struct ReachFigures {
    private(set) var rows: [ReachReport.Row] = []
    private(set) var totals = ReachReport.Counts(targeted: 0, reached: 0, engaged: 0, withoutTarget: 0)
    /// `nil` if they are exact.
    let standardError: Double?

    /// Counts the notifications. The work grows with their number.
    init(exactly query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        standardError = nil
        let query = try query.clamped(on: connection)
        let segmentIDs = try query.segmentIDs(on: connection)
        if !query.by.isEmpty {
            let parameters = query.parameters(by: query.by, segmentIDs: segmentIDs) + Self.bits
            let found = try connection.query(.Reports.reach, parameters, mostRows: query.mostRows)
            rows = try found.map { row throws(PostgresError) in try Self.row(row, by: query.by) }
        }
        let parameters = query.parameters(by: [], segmentIDs: segmentIDs) + Self.bits
        if let row = try connection.query(.Reports.reach, parameters).first {
            totals = try row.decode()
        }
    }

    /// Unites sketches, and hashes the notifications that they do not cover.
    init(sketched query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        standardError = ReachSketches.standardError
        let parameters = query.parameters(by: query.by) + Self.bits
        // The last row contains the totals.
        let most = query.mostRows.map { $0 + 1 }
        for row in try connection.query(.Reports.reachSketched, parameters, mostRows: most) {
            if try row.get("is_total", as: Bool.self) {
                totals = try row.decode(ReachReport.Counts.self).asEstimated
            } else if !query.by.isEmpty {
                let part = try Self.row(row, by: query.by)
                rows.append(ReachReport.Row(key: part.key, counts: part.counts.asEstimated))
            }
        }
    }

    private static let bits = [DeliveryState.attempted, .accepted, .seenOnDevice, .clicked].map {
        PostgresParameter.value($0.rawValue)
    }

    private static func row(
        _ row: PostgresRow, by dimensions: [Dimension]
    ) throws(PostgresError) -> ReachReport.Row {
        ReachReport.Row(key: try RowKey(row, by: dimensions), counts: try row.decode())
    }
}

extension ReachReport.Counts {
    /// Without bias. An installation that clicked was reached, and one that was reached was targeted.
    /// Estimates of nearly the same installations may contradict that; exact counts never do, and are checked.
    fileprivate var asEstimated: Self {
        let targeted = HyperLogLog.unbiased(targeted)
        let reached = min(HyperLogLog.unbiased(reached), targeted)
        return Self(
            targeted: targeted, reached: reached, engaged: min(HyperLogLog.unbiased(engaged), reached),
            withoutTarget: withoutTarget)
    }
}
