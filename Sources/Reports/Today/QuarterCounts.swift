internal import Access
public import Instants
internal import PostgresClient
internal import SQLFiles

/// The notifications sent in one quarter hour, and their outcome so far.
public struct QuarterCounts: Hashable, Sendable {
    /// The start of the quarter hour.
    public let quarter: Instant
    public let attempted: Int64
    public let accepted: Int64
    public let confirmed: Int64
    public let clicked: Int64

    /// Every quarter hour of the window, including those in which nothing was sent.
    static func read(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError)
        -> [QuarterCounts]
    {
        var known: [Instant: QuarterCounts] = [:]
        let window = query.window
        let rows = try connection.query(
            .Reports.quarters, [.value(query.app.appID), .value(window.from), .value(window.to)])
        for row in rows {
            let quarter: Instant = try row.get("quarter")
            known[quarter] = QuarterCounts(
                quarter: quarter, attempted: try row.get("attempted"), accepted: try row.get("accepted"),
                confirmed: try row.get("confirmed"), clicked: try row.get("clicked"))
        }
        var all: [QuarterCounts] = []
        var quarter = window.from
        while quarter < window.to {
            let none = QuarterCounts(quarter: quarter, attempted: 0, accepted: 0, confirmed: 0, clicked: 0)
            all.append(known[quarter] ?? none)
            quarter = quarter + .minutes(15)
        }
        return all
    }
}
