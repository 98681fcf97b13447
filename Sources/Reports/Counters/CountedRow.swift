internal import Access
public import DeliveryModel
internal import Documents
internal import PostgresClient
internal import SQLFiles

/// One row of a report that is read from the counters.
public struct CountedRow: Hashable, Sendable {
    public let key: RowKey
    public let counts: MeasureCounts
}

extension MeasureCounts {
    /// Adds up the columns `states` and `notifications`, arrays of equal length.
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init()
        let states: [Int32] = try row.getArray("states")
        let notifications: [Int64] = try row.getArray("notifications")
        for (state, count) in zip(states, notifications) { add(count, in: DeliveryState(rawValue: state)) }
    }
}

/// Notifications that are in no campaign, because no provider's response is on record. Counted for
/// the whole app in a window, whatever campaigns the query selects.
public struct UnmatchedCounts: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// A response may still come.
    public let unmatched: Int64
    /// Shown by the app itself: no response is expected.
    public let local: Int64

    public init(unmatched: Int64, local: Int64 = 0) {
        self.unmatched = unmatched
        self.local = local
    }

    public init(integerLiteral unmatched: Int64) {
        self.init(unmatched: unmatched)
    }

    public var isZero: Bool { unmatched == 0 && local == 0 }

    static func read(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> UnmatchedCounts
    {
        let window = query.window
        let row = try connection.query(
            .Reports.unmatched,
            [
                .value(query.app.appID), .value(window.from), .value(window.to),
                .value(DeliveryState.local.rawValue),
            ]
        ).single()
        return UnmatchedCounts(unmatched: try row.get("unmatched"), local: try row.get("local"))
    }

    /// The members of a report's document that follow its totals.
    var members: [JSONValue.Member] {
        [.init("unmatched", .integer(unmatched)), .init("local", .integer(local))]
    }
}
