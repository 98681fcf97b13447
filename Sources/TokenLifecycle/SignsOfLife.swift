public import DeliveryModel
public import Foundation
public import PostgresClient
internal import SQLFiles

/// A device was heard from: its installation and its token live.
public struct SignOfLife: Sendable {
    public var appID: Int64
    /// When the device says it happened.
    public var at: Instant
    /// The installation, where the event named it.
    public var deviceID: UUID?
    /// The token the notification went to, where it is known.
    public var tokenID: Int64?

    public init(appID: Int64, at: Instant, deviceID: UUID?, tokenID: Int64?) {
        self.appID = appID
        self.at = at
        self.deviceID = deviceID
        self.tokenID = tokenID
    }
}

/// Writes signs of life, at most once a day per installation and token, and wakes stale tokens.
public struct SignsOfLife: Sendable {
    /// What was written, to be remembered once it is committed.
    public struct Written: Sendable {
        fileprivate var installations: [AppDevice: Instant] = [:]
        fileprivate var tokens: [Int64: Instant] = [:]

        public init() {}
    }

    private let apps = HeardApps()
    private let touchedInstallations = RecentTouches<AppDevice>()
    private let touchedTokens = RecentTouches<Int64>()

    public init() {}

    /// Locks installations before tokens, as registrations do.
    public func record(
        _ signs: [SignOfLife], now: Instant, on connection: PostgresConnection
    ) throws -> Written {
        guard !signs.isEmpty else { return Written() }
        var latest: [Int64: Instant] = [:]
        var devices: [AppDevice: Instant] = [:]
        var tokens: [Int64: Instant] = [:]
        for sign in signs {
            latest[sign.appID] = max(latest[sign.appID] ?? sign.at, sign.at)
            if let deviceID = sign.deviceID {
                let device = AppDevice(appID: sign.appID, deviceID: deviceID)
                devices[device] = max(devices[device] ?? sign.at, sign.at)
            }
            if let tokenID = sign.tokenID { tokens[tokenID] = max(tokens[tokenID] ?? sign.at, sign.at) }
        }
        hear(fromApps: latest, on: connection)
        return try touch(
            touchedInstallations.due(devices), touchedTokens.due(tokens), now: now, on: connection)
    }

    /// Spares the database the question until the next touch is due. To be called after the commit.
    public func remember(_ written: Written) {
        touchedInstallations.remember(written.installations)
        touchedTokens.remember(written.tokens)
    }

    /// Notes when some device of each app was heard from, at most once a minute each.
    public func hear(fromApps heard: [Int64: Instant], on connection: PostgresConnection) {
        let due = apps.due(heard).sorted { $0.key < $1.key }
        guard !due.isEmpty else { return }
        connection.enqueue(
            PostgresStatement(.Tokens.hearFromApps, [.array(due.map(\.key)), .array(due.map(\.value))]))
    }

    private func touch(
        _ devices: [AppDevice: Instant], _ tokens: [Int64: Instant], now: Instant,
        on connection: PostgresConnection
    ) throws -> Written {
        guard !devices.isEmpty || !tokens.isEmpty else { return Written() }
        let devices = devices.sorted { ($0.key.appID, $0.key.deviceID) < ($1.key.appID, $1.key.deviceID) }
        let tokens = tokens.sorted { $0.key < $1.key }
        let rows = try connection.query([
            PostgresStatement(
                .Tokens.touchInstallations,
                [
                    .array(devices.map(\.key.appID)), .array(devices.map(\.key.deviceID)),
                    .array(devices.map(\.value)),
                ]),
            PostgresStatement(
                .Tokens.touchTokens, [.array(tokens.map(\.key)), .array(tokens.map(\.value))]),
        ])
        try wakeStale(rows[0].column(1), tokens: rows[1], now: now, on: connection)
        var written = Written()
        for position in try rows[0].column(0, as: Int64.self) {
            written.installations[devices[Int(position) - 1].key] = devices[Int(position) - 1].value
        }
        for position in try rows[1].column(0, as: Int64.self) {
            written.tokens[tokens[Int(position) - 1].key] = tokens[Int(position) - 1].value
        }
        return written
    }

    /// A token that was touched says itself whether it is stale; an installation may have others.
    private func wakeStale(
        _ installationIDs: [Int64], tokens: PostgresRows, now: Instant, on connection: PostgresConnection
    ) throws {
        let (tokenIDs, states) = (try tokens.column(1, as: Int64.self), try tokens.column(2, as: String.self))
        let stale = zip(tokenIDs, states).filter { $0.1 == TokenState.stale.rawValue }.map(\.0)
        guard !installationIDs.isEmpty || !stale.isEmpty else { return }
        connection.enqueue(
            PostgresStatement(
                .Tokens.reviveStaleTokens, [.array(stale), .array(installationIDs), .value(now)]))
    }
}
