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
    private let apps = HeardApps()

    public init() {}

    /// Locks installations before tokens, as registrations do.
    public func record(_ signs: [SignOfLife], now: Instant, on connection: PostgresConnection) throws {
        guard !signs.isEmpty else { return }
        var latest: [Int64: Instant] = [:]
        for sign in signs { latest[sign.appID] = max(latest[sign.appID] ?? sign.at, sign.at) }
        try hear(fromApps: latest, on: connection)
        let installations = try touchInstallations(signs, on: connection)
        let tokens = try touchTokens(signs, on: connection)
        guard !installations.isEmpty || !tokens.isEmpty else { return }
        try connection.query(
            .Tokens.reviveStaleTokens, [.array(tokens), .array(installations), .value(now)])
    }

    /// Notes when some device of each app was heard from, at most once a minute each.
    public func hear(fromApps heard: [Int64: Instant], on connection: PostgresConnection) throws {
        let due = apps.due(heard).sorted { $0.key < $1.key }
        guard !due.isEmpty else { return }
        try connection.query(.Tokens.hearFromApps, [.array(due.map(\.key)), .array(due.map(\.value))])
    }

    private func touchInstallations(
        _ signs: [SignOfLife], on connection: PostgresConnection
    ) throws -> [Int64] {
        struct Device: Hashable {
            let appID: Int64
            let deviceID: UUID
        }
        var latest: [Device: Instant] = [:]
        for sign in signs {
            guard let deviceID = sign.deviceID else { continue }
            let device = Device(appID: sign.appID, deviceID: deviceID)
            latest[device] = max(latest[device] ?? sign.at, sign.at)
        }
        guard !latest.isEmpty else { return [] }
        let sorted = latest.sorted { ($0.key.appID, $0.key.deviceID) < ($1.key.appID, $1.key.deviceID) }
        let rows = try connection.query(
            .Tokens.touchInstallations,
            [
                .array(sorted.map(\.key.appID)), .array(sorted.map(\.key.deviceID)),
                .array(sorted.map(\.value)),
            ])
        return try rows.map { try $0.get(0) }
    }

    private func touchTokens(_ signs: [SignOfLife], on connection: PostgresConnection) throws -> [Int64] {
        var latest: [Int64: Instant] = [:]
        for sign in signs {
            guard let tokenID = sign.tokenID else { continue }
            latest[tokenID] = max(latest[tokenID] ?? sign.at, sign.at)
        }
        guard !latest.isEmpty else { return [] }
        let sorted = latest.sorted { $0.key < $1.key }
        let rows = try connection.query(
            .Tokens.touchTokens, [.array(sorted.map(\.key)), .array(sorted.map(\.value))])
        return try rows.map { try $0.get(0) }
    }
}
