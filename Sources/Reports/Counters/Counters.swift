public import DeliveryModel
internal import PostgresClient

/// Reads the counters of a query: the headline counters, unless only those by segment contain the result.
struct Counters {
    /// The query, limited to the span in which there are counters.
    let query: ReportQuery
    /// The segments that the filters select; `nil` if no filter is about segments.
    let segmentIDs: [Int64]?
    private let connection: PostgresConnection

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        self.query = try query.clamped(on: connection)
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
    }

    /// The rows by the query's dimensions; none if it has no breakdown.
    func rows() throws(PostgresError) -> [CountedRow] {
        query.by.isEmpty ? [] : try read(by: query.by, mostRows: query.mostRows).map(counted)
    }

    /// The totals, from a separate query without a breakdown: the sum of the rows is checked against them.
    /// Without filters by traits, they come from the headline counters, whatever the rows were read from.
    func totals() throws(PostgresError) -> MeasureCounts {
        guard let row = try read(by: [], mostRows: nil).first else { return MeasureCounts() }
        return try MeasureCounts(row)
    }

    /// The rows by the query's dimensions and by response; 0 is the response of those not rejected.
    ///
    /// - Parameter most: the maximum number of rows; more throw
    ///   ``PostgresError/tooManyRows(statement:most:)``. `nil` means no maximum.
    func rowsByResponse(most: Int?) throws(PostgresError) -> [(row: CountedRow, responseID: Int64)] {
        try read(by: query.by, isByResponse: true, mostRows: most).map { row throws(PostgresError) in
            (row: try counted(row), responseID: try row.get("response_id"))
        }
    }

    /// The counters of app versions that report arrivals, by the query's breakdown; without one, one row.
    func capable() throws(PostgresError) -> [CountedRow] {
        try read(by: query.by, isCapable: true, mostRows: query.mostRows).map(counted)
    }

    private func counted(_ row: PostgresRow) throws(PostgresError) -> CountedRow {
        CountedRow(key: try RowKey(row, by: query.by), counts: try MeasureCounts(row))
    }

    private func read(
        by dimensions: [Dimension], isCapable: Bool = false, isByResponse: Bool = false, mostRows: Int?
    ) throws(PostgresError) -> PostgresRows {
        let traits = dimensions.filter(\.isTrait)
        let needsSegments = isCapable || isByResponse || segmentIDs != nil || !traits.isEmpty
        return try connection.query(
            .Reports.counters,
            query.parameters(by: dimensions, segmentIDs: segmentIDs) + [
                .value(traits.dropFirst(2).first?.rawValue), .value(needsSegments), .value(isCapable),
                .value(isByResponse),
            ],
            mostRows: mostRows)
    }
}

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
public struct UnmatchedCounts: Hashable, Decodable, Sendable {
    /// A response may still come.
    public let unmatched: Int64
    /// Shown by the app itself: no response is expected.
    public internal(set) var local: Int64 = 0

    public var isZero: Bool { unmatched == 0 && local == 0 }

    static func read(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> UnmatchedCounts
    {
        let window = query.window
        return try connection.query(
            .Reports.unmatched,
            [
                .value(query.app.appID), .value(window.from), .value(window.to),
                .value(DeliveryState.local.rawValue),
            ]
        ).single().decode()
    }

    /// The members of a report's document that follow its totals.
    var members: [JSONValue.Member] {
        [.init("unmatched", .integer(unmatched)), .init("local", .integer(local))]
    }
}

extension UnmatchedCounts: ExpressibleByIntegerLiteral {
    public init(integerLiteral unmatched: Int64) {
        self.init(unmatched: unmatched)
    }
}

/// The part of a window so recent that arrivals and clicks are still coming in. Reports of responses alone,
/// such as rejections, have none: a response comes with the attempt. Nor have those not read from a database.
public struct Completeness: Hashable, Sendable {
    /// The time after sending in which an arrival may still be expected.
    public static let arrivalWindow = Span.hours(24)

    /// Accepted notifications younger than the arrival window, by whole quarter hours of sending.
    public let young: Int64
    public let accepted: Int64

    public var share: Proportion { Proportion(young, of: accepted) }

    /// The first quarter hour that counts as young.
    static func youngFrom(_ asOf: Instant) -> Instant { (asOf - arrivalWindow).startOfQuarter }

    /// - Parameter accepted: the count of the query's whole window.
    static func read(
        _ query: ReportQuery, accepted: Int64, asOf: Instant, on connection: PostgresConnection
    ) throws -> Completeness {
        let from = max(query.window.from, youngFrom(asOf))
        guard from < query.window.to else { return Completeness(young: 0, accepted: accepted) }
        let young = query.with(window: try ReportWindow(from: from, to: query.window.to))
        let counts = try Counters(young, on: connection).totals()
        try AddingUp(report: "completeness")
            .check(Proportion(counts[.accepted], of: accepted), "young", place: "the last day")
        return Completeness(young: counts[.accepted], accepted: accepted)
    }

    /// `completeness` of the document.
    var json: JSONValue {
        [
            "arrival_window_hours": .integer(Self.arrivalWindow.milliseconds / Span.hours(1).milliseconds),
            "young": .integer(young),
            "accepted": .integer(accepted),
        ]
    }
}
