public import DeliveryModel
internal import Foundation
internal import PostgresClient

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
    /// Estimates may contradict that; exact counts never do, and are checked.
    fileprivate var asEstimated: Self {
        let targeted = HyperLogLog.unbiased(targeted)
        let reached = min(HyperLogLog.unbiased(reached), targeted)
        return Self(
            targeted: targeted, reached: reached, engaged: min(HyperLogLog.unbiased(engaged), reached),
            withoutTarget: withoutTarget)
    }
}

/// HyperLogLog sketches of the installations that were targeted, reached and engaged
/// (docs/decisions/0024), if the database has the extension `hll` and maintenance has built some.
public enum ReachSketches {
    /// The relative standard error of a count. `sql/reports/reach_sketched.sql` has the number of registers.
    public static let standardError = HyperLogLog.standardError

    /// Windows up to this length are counted exactly, from the notifications.
    public static let longestExactWindow = Span.days(3)

    /// Whether sketches contain the result. There are none by the traits of segments.
    ///
    /// Call this within a transaction, whose later statements can then name the extension's functions.
    static func response(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> Bool
    {
        let window = query.window
        guard !query.needsSegments, window.to - window.from > longestExactWindow,
            try connection.query(.Administration.nameSketchFunctions).first != nil
        else { return false }
        return try connection.query(
            .Reports.hasSketches, [.value(query.app.appID), .value(window.from), .value(window.to)]
        ).single().get("has_sketches")
    }
}

/// The accuracy of PostgreSQL's extension `hll` with 2¹⁴ registers (Flajolet, Fusy, Gandouet, Meunier 2007).
enum HyperLogLog {
    static let registers = 16_384.0

    /// Up to this many are kept individually and counted exactly.
    static let mostExact: Int64 = 1_280

    /// The relative standard error of one estimate: two of three are within it, 95 of 100 within twice of it.
    static let standardError = 1.04 / registers.squareRoot()

    /// Removes the bias of an estimate.
    ///
    /// Up to 2.5 installations per register, `hll` counts empty registers, which has no bias. Above that, it
    /// uses the raw estimate, which is 2.5 % too high at first and correct from about 5 per register. The
    /// expected raw estimate for a number of installations is known (``expectedRawEstimate(of:)``), so this
    /// searches for that number.
    static func unbiased(_ estimate: Int64) -> Int64 {
        let raw = Double(estimate)
        guard raw >= 2.5 * registers, raw < 10 * registers else { return estimate }
        var (low, high) = (0.5 * raw, raw * 1.1)
        while high - low > 0.25 {
            let middle = (low + high) / 2
            if expectedRawEstimate(of: middle) < raw { low = middle } else { high = middle }
        }
        return Int64(low.rounded())
    }

    /// The expected raw estimate for this many distinct installations, each of which falls into a register
    /// at random and independently: a register then holds at most k with probability e^(−load · 2⁻ᵏ).
    static func expectedRawEstimate(of count: Double) -> Double {
        let load = count / registers
        var (sum, atMostLess, weight) = (0.0, 0.0, 1.0)
        for _ in 0..<32 {
            let atMost = exp(-load * weight)
            sum += weight * (atMost - atMostLess)
            atMostLess = atMost
            weight /= 2
        }
        return 0.7213 / (1 + 1.079 / registers) * registers / sum
    }
}
