internal import DeliveryModel
internal import PostgresClient

/// The installations that can currently be shown a notification.
struct Audience {
    let count: Int64
    let asOf: Instant
    /// The part of the audience that was reached in the window of a query; `nil` if it was not requested.
    var reached: Int64?

    /// The count that maintenance stored within the last two hours, or else a new count: counting
    /// takes longer than uniting the sketches of a month.
    static func recent(
        of app: App, on connection: PostgresConnection, now: Instant
    ) throws(PostgresError) -> Audience {
        let known = try connection.query(
            .Reports.audienceCount, [.value(app.appID), .value(now - .hours(2))])
        guard let row = known.first else {
            return Audience(count: try count(of: app, on: connection, now: now), asOf: now)
        }
        return Audience(count: try row.get("audience"), asOf: try row.get("counted_at"))
    }

    /// The audience together with the part of it that was reached, counted from the notifications themselves.
    static func reached(
        by query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws(PostgresError) -> Audience {
        let segmentIDs = try query.segmentIDs(on: connection)
        let asked = try query.clamped(on: connection).asked
        let row = try connection.query(
            .Reports.audienceReached,
            [
                .value(query.app.appID), .value(asked.lowerBound), .value(asked.upperBound),
                .values(query.values(of: .campaign)), .values(query.values(of: .variant)),
                segmentIDs.map { .array($0) } ?? .noArray(of: Int64.self),
                .value(DeliveryState.accepted.rawValue), .value(DeliveryState.seenOnDevice.rawValue),
                .array(TokenKind.alerting.map(\.rawValue)), .value(now),
            ]
        ).single()
        return Audience(count: try row.get("audience"), asOf: now, reached: try row.get("reached"))
    }

    static func count(
        of app: App, on connection: PostgresConnection, now: Instant
    ) throws(PostgresError) -> Int64 {
        let kinds = TokenKind.alerting.map(\.rawValue)
        let rows = try connection.query(
            .Reports.audience, [.value(app.appID), .array(kinds), .value(now)])
        return try rows.first?.get("audience") ?? 0
    }
}
