internal import Access
internal import Instants
internal import PostgresClient
internal import SQLFiles

extension ReportQuery {
    /// Every quarter hour of a window is generated before it is looked up: two million since 1970.
    /// Up to this length, that is cheaper than an additional query.
    private static let longestUnclamped = Span.days(400)

    /// The query, limited to the span in which there are counters.
    func clamped(on connection: PostgresConnection) throws(PostgresError) -> ReportQuery {
        guard window.to - window.from > Self.longestUnclamped else { return self }
        let row = try connection.query(.Reports.appSpan, [.value(app.appID)]).single()
        let first: Instant? = try row.getOptional("first_quarter")
        let last: Instant? = try row.getOptional("last_quarter")
        var counted = window.from..<window.from
        if let first, let last { counted = first..<(last + .minutes(15)) }
        var query = self
        query.countedSpan = counted.clamped(to: window.from..<window.to)
        return query
    }
}
