public import DeliveryModel
public import PostgresClient
public import TokenLifecycle

/// The number of tokens by state, and the breakers that hold tokens back.
public struct TokenHealth: Hashable, Sendable {
    public let asOf: Instant
    public let states: StateCounts
    /// Installations that could be shown a notification.
    public let audience: Int64
    public let breakers: [HeldTokens.Group]

    /// Counts all tokens of the app, which takes longer than everything else that is shown of a day.
    ///
    /// - Throws: `PostgresError`.
    public static func run(for app: App, on connection: PostgresConnection, now: Instant) throws
        -> TokenHealth
    {
        let status = try TokenStatusReport.run(for: app, on: connection, now: now)
        return TokenHealth(
            asOf: now, states: status.states, audience: status.audience ?? 0,
            breakers: try HeldTokens(appID: app.appID, on: connection).groups())
    }

    func json(in zone: ReportTimeZone) -> JSONValue {
        .object([
            .init("as_of", .string(zone.rfc3339(asOf))), .init("tokens", states.json),
            .init("audience", .integer(audience)),
            .init("breakers", breakers) { breaker in
                [
                    "environment": .string(breaker.environment), "topic": .string(breaker.topic),
                    "opened_at": .string(zone.rfc3339(breaker.openedAt)),
                    "held_tokens": .integer(breaker.heldTokens),
                ]
            },
        ])
    }
}

/// Items received since an hour, and their verdicts: received = accepted + duplicates + rejected.
public struct ReceivedItems: Hashable, Decodable, Sendable {
    public let received: Int64
    public let accepted: Int64
    public let duplicates: Int64
    public let rejected: Int64

    /// - Parameter instant: moved back to the start of its hour (UTC).
    /// - Throws: `PostgresError`.
    public static func read(of app: App, since instant: Instant, on connection: PostgresConnection)
        throws(PostgresError) -> ReceivedItems
    {
        try connection.query(
            .Reports.receivedItems, [.value(app.appID), .value(instant.startOfHour)]
        ).single().decode()
    }

    var json: JSONValue {
        [
            "received": .integer(received), "accepted": .integer(accepted),
            "duplicates": .integer(duplicates), "rejected": .integer(rejected),
        ]
    }
}
