public import Access
public import PostgresClient

/// The number of tokens by state, and the breakers that hold tokens back.
public struct TokenHealth: Hashable, Sendable {
    /// A breaker that is open or holds tokens back.
    public struct Breaker: Hashable, Decodable, Sendable {
        public let environment: String
        /// Empty if unknown.
        public let topic: String
        public let openedAt: Instant
        public let heldTokens: Int64
    }

    public let asOf: Instant
    public let states: StateCounts
    /// Installations that could be shown a notification.
    public let audience: Int64
    public let breakers: [Breaker]

    /// Counts all tokens of the app, which takes longer than everything else that is shown of a day.
    ///
    /// - Throws: `PostgresError`.
    public static func run(for app: App, on connection: PostgresConnection, now: Instant) throws
        -> TokenHealth
    {
        let status = try TokenStatusReport.run(for: app, on: connection, now: now)
        return TokenHealth(
            asOf: now, states: status.states, audience: status.audience ?? 0,
            breakers: try Breaker.all(of: app, on: connection))
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

extension TokenHealth.Breaker {
    /// The breakers that are open or hold tokens back, the most tokens first.
    package static func all(of app: App, on connection: PostgresConnection) throws(PostgresError) -> [Self] {
        let anything = PostgresParameter.value(String?.none)
        return try connection.query(.Tokens.listBreakers, [.value(app.appID), anything, anything]).decode()
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
