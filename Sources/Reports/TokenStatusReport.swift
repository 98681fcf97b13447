public import Access
public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// How many tokens are in which state, and how many installations stand behind them, as of now.
public struct TokenStatusReport: Encodable, Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        public let state: String
        public let kind: String
        public let environment: String
        public let tokens: Int64

        public init(state: String, kind: String, environment: String, tokens: Int64) {
            self.state = state
            self.kind = kind
            self.environment = environment
            self.tokens = tokens
        }
    }

    public let app: App
    public let asOf: Instant
    /// By state (active, suspect, stale, retired), then the most first.
    public let rows: [Row]
    /// Without the erased ones.
    public let installations: Int64
    public let erasedInstallations: Int64
    /// Installations that could be shown a notification.
    public let audience: Int64

    public var tokens: Int64 { rows.reduce(0) { $0 + $1.tokens } }

    public init(
        app: App, asOf: Instant, rows: [Row], installations: Int64, erasedInstallations: Int64,
        audience: Int64
    ) {
        self.app = app
        self.asOf = asOf
        self.rows = rows
        self.installations = installations
        self.erasedInstallations = erasedInstallations
        self.audience = audience
    }

    /// Counts, in one snapshot.
    ///
    /// - Throws: `PostgresError`.
    public static func run(for app: App, on connection: PostgresConnection, now: Instant) throws
        -> TokenStatusReport
    {
        try connection.snapshot {
            let installations = try connection.query(.Reports.installations, [.value(app.appID)]).first
            return TokenStatusReport(
                app: app,
                asOf: now,
                rows: try readRows(of: app, on: connection),
                installations: try installations?.get("installations") ?? 0,
                erasedInstallations: try installations?.get("erased_installations") ?? 0,
                audience: try Audience.count(of: app, on: connection, now: now))
        }
    }

    private static func readRows(of app: App, on connection: PostgresConnection) throws(PostgresError)
        -> [Row]
    {
        var rows: [Row] = []
        for row in try connection.query(.Reports.tokenStatus, [.value(app.appID)]) {
            rows.append(
                Row(
                    state: try row.get("state"), kind: try row.get("kind"),
                    environment: try row.get("environment"), tokens: try row.get("tokens")))
        }
        return rows
    }

    /// The document of `--json`: rows as in the other reports, with the instant in UTC.
    public var document: JSONValue {
        [
            "report": "tokens",
            "app": .string(app.slug),
            "unit": "tokens",
            "as_of": .string(asOf.rfc3339),
            "rows": .array(rows.map(Self.json)),
            "totals": [
                "counts": [
                    "tokens": .integer(tokens),
                    "installations": .integer(installations),
                    "erased_installations": .integer(erasedInstallations),
                    "audience": .integer(audience),
                ]
            ],
        ]
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "key": [
                "state": .string(row.state), "kind": .string(row.kind),
                "environment": .string(row.environment),
            ],
            "counts": ["tokens": .integer(row.tokens)],
        ]
    }

    public func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
    }
}
