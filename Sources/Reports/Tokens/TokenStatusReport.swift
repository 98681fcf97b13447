public import DeliveryModel
public import PostgresClient

/// The number of tokens by state, and of the installations that hold them, as of now or of a past instant.
public struct TokenStatusReport: Hashable, Sendable {
    public struct Row: Hashable, Decodable, Sendable {
        public let state: String
        public let kind: String
        public let environment: String
        public let tokens: Int64
    }

    /// What users turned off, although the app may send, and how many installations got no token.
    public struct Settings: Hashable, Sendable {
        /// Installations that said what their users turned off.
        public var known: Int64 = 0
        /// Those of them whose user turned it off.
        public var turnedOff: [NotificationSetting: Int64] = [:]
        /// Installations whose last registration said why they have no token.
        public var failed: Int64 = 0
    }

    public let app: App
    public let asOf: Instant
    /// The rows by state (active, suspect, stale, retired), then the largest first.
    public let rows: [Row]
    /// As of now: all registered installations except the erased ones. As of the past: those that
    /// ever held a token that shows notifications.
    public let installations: Int64
    /// `nil` as of the past.
    public let erasedInstallations: Int64?
    /// Installations that could be shown a notification. `nil` as of the past: the ledger has no permissions.
    public let audience: Int64?
    /// The number of installations by state, see ``TokenWaterfall``; `nil` as of now.
    public let installationStates: StateCounts?
    /// What devices said at their last registration; `nil` as of the past.
    public let settings: Settings?

    public var tokens: Int64 { rows.reduce(0) { $0 + $1.tokens } }

    /// Tokens by state, of any kind and environment.
    public var states: StateCounts {
        rows.reduce(into: StateCounts()) { states, row in
            if let state = TokenState(rawValue: row.state) { states[state] += row.tokens }
        }
    }

    /// Counts tokens and installations in one snapshot.
    ///
    /// - Throws: `PostgresError`.
    public static func run(for app: App, on connection: PostgresConnection, now: Instant) throws
        -> TokenStatusReport
    {
        try connection.snapshot {
            let installations = try connection.query(.Reports.installations, [.value(app.appID)]).first
            return TokenStatusReport(
                app: app, asOf: now,
                rows: try connection.query(.Reports.tokenStatus, [.value(app.appID)]).decode(),
                installations: try installations?.get("installations") ?? 0,
                erasedInstallations: try installations?.get("erased_installations") ?? 0,
                audience: try Audience.count(of: app, on: connection, now: now),
                installationStates: nil, settings: try installations.map(Settings.init))
        }
    }

    /// The report as of a past instant, from the transitions decided before it. Kinds are the current ones.
    ///
    /// - Throws: `PostgresError`.
    public static func run(for app: App, asOf instant: Instant, on connection: PostgresConnection) throws
        -> TokenStatusReport
    {
        try connection.snapshot {
            let states = try StateCounts.installations(
                of: app.appID, asOf: instant, knownAt: instant, on: connection)
            let rows = try connection.query(
                .Tokens.tokensAsOf, [.value(app.appID), .value(instant), .value(instant)])
            return TokenStatusReport(
                app: app, asOf: instant, rows: try rows.decode(), installations: states.known,
                erasedInstallations: nil, audience: nil, installationStates: states, settings: nil)
        }
    }
}

extension TokenStatusReport.Settings {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(known: try row.get("with_settings"), failed: try row.get("failed"))
        for setting in NotificationSetting.allCases { turnedOff[setting] = try row.get(setting.rawValue) }
    }
}
