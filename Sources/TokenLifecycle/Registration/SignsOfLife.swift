public import DeliveryModel
public import Foundation
public import PostgresClient

/// A device event, as evidence that an installation and its token are alive.
public struct SignOfLife: Sendable {
    public var appID: Int64
    /// The time at which it happened, according to the device.
    public var at: Instant
    /// The device, if the event named it.
    public var deviceID: UUID?
    /// The token the notification was sent to, if known.
    public var tokenID: Int64?
    /// The installation that held the token at that time.
    public var holderID: Int64?

    public init(appID: Int64, at: Instant, deviceID: UUID?, tokenID: Int64?, holderID: Int64? = nil) {
        self.appID = appID
        self.at = at
        self.deviceID = deviceID
        self.tokenID = tokenID
        self.holderID = holderID
    }

    fileprivate var device: AppDevice? { deviceID.map { AppDevice(appID: appID, deviceID: $0) } }
    /// Whether an installation may cover the token.
    fileprivate var namesHolder: Bool { deviceID != nil && holderID != nil }
}

/// Writes signs of life, at most once a day per installation and token, and makes stale tokens active again.
///
/// A token whose own installation was heard from is not written: it is as alive as that (sweeps check both).
public struct SignsOfLife: Sendable {
    /// The touches that were written, to be remembered once they are committed.
    public struct Written: Sendable {
        fileprivate var installations: [AppDevice: RecentTouches<AppDevice>.Touch] = [:]
        fileprivate var tokens: [Int64: RecentTouches<Int64>.Touch] = [:]
        /// Whether tokens that were stale may be active now.
        public fileprivate(set) var wakesTokens = false

        public init() {}
    }

    /// Written once a minute and not with every event.
    private let heardApps = RecentTouches<Int64>(interval: .minutes(1), capacity: 1 << 10)
    private let touchedInstallations = RecentTouches<AppDevice>()
    private let touchedTokens = RecentTouches<Int64>()

    public init() {}

    /// Locks installations before tokens, as registrations do.
    public func record(
        _ signs: [SignOfLife], now: Instant, on connection: PostgresConnection
    ) throws -> Written {
        guard !signs.isEmpty else { return Written() }
        hear(fromApps: signs.latest(of: \.appID), on: connection)
        var writer = SignsWriter(now: now, connection: connection)

        // If an installation may cover a token, the token is written only once it is known that it does not.
        let held = Set(signs.filter(\.namesHolder).compactMap(\.tokenID))
        let devices = touchedInstallations.recall(signs.latest(of: \.device))
        let alone = signs.filter { sign in sign.tokenID.map { !held.contains($0) } ?? false }
        try writer.write(devices.due, touchedTokens.recall(alone.latest(of: \.tokenID)).due)

        let holders = writer.written.installations.mapValues(\.id).merging(devices.known) { id, _ in id }
        let astray = signs.filter { sign in
            guard let tokenID = sign.tokenID, held.contains(tokenID) else { return false }
            return !sign.namesHolder || sign.device.flatMap { holders[$0] } != sign.holderID
        }
        try writer.write([:], touchedTokens.recall(astray.latest(of: \.tokenID)).due)

        writer.wakeStale()
        return writer.written
    }

    /// The installations of devices, erased or not. Only devices without one are looked up every time.
    public func installations(
        of devices: [AppDevice], on connection: PostgresConnection
    ) throws -> [AppDevice: Int64] {
        guard !devices.isEmpty else { return [:] }
        var ids = touchedInstallations.ids(of: devices)
        let asked = Array(Set(devices.filter { ids[$0] == nil }))
        guard !asked.isEmpty else { return ids }
        let rows = try connection.query(
            .Tokens.findReporters, [.array(asked.map(\.appID)), .array(asked.map(\.deviceID))])
        var found: [AppDevice: RecentTouches<AppDevice>.Touch] = [:]
        for row in rows {
            // The next sign of life is due: it is not known when the last one was.
            found[asked[try row.askedIndex]] = .init(
                id: try row.get("installation_id"), at: Instant(millisecondsSinceEpoch: 0))
        }
        touchedInstallations.remember(found)
        ids.merge(found.mapValues(\.id)) { id, _ in id }
        return ids
    }

    /// Saves queries until the next touch is due. Call it after the commit.
    public func remember(_ written: Written) {
        touchedInstallations.remember(written.installations)
        touchedTokens.remember(written.tokens)
    }

    /// Records when any device of each app was heard from, at most once a minute per app.
    public func hear(fromApps heard: [Int64: Instant], on connection: PostgresConnection) {
        let due = heardApps.recall(heard).due.sorted { $0.key < $1.key }
        guard !due.isEmpty else { return }
        heardApps.remember(due.reduce(into: [:]) { $0[$1.key] = .init(id: $1.key, at: $1.value) })
        connection.enqueue(.Tokens.hearFromApps, [.array(due.map(\.key)), .array(due.map(\.value))])
    }
}

extension [SignOfLife] {
    fileprivate func latest<Key: Hashable>(of key: (SignOfLife) -> Key?) -> [Key: Instant] {
        var latest: [Key: Instant] = [:]
        for sign in self {
            guard let key = key(sign) else { continue }
            latest[key] = Swift.max(latest[key] ?? sign.at, sign.at)
        }
        return latest
    }
}

/// The signs of one batch being written.
private struct SignsWriter {
    let now: Instant
    let connection: PostgresConnection
    private(set) var written = SignsOfLife.Written()
    private(set) var wokenInstallations: [Int64] = []
    private(set) var staleTokens: [Int64] = []

    mutating func write(_ devices: [AppDevice: Instant], _ tokens: [Int64: Instant]) throws {
        let devices = devices.sorted { ($0.key.appID, $0.key.deviceID) < ($1.key.appID, $1.key.deviceID) }
        let tokens = tokens.sorted { $0.key < $1.key }
        var statements: [PostgresStatement] = []
        if !devices.isEmpty {
            statements.append(
                PostgresStatement(
                    .Tokens.touchInstallations,
                    [
                        .array(devices.map(\.key.appID)), .array(devices.map(\.key.deviceID)),
                        .array(devices.map(\.value)),
                    ]))
        }
        if !tokens.isEmpty {
            statements.append(
                PostgresStatement(
                    .Tokens.touchTokens, [.array(tokens.map(\.key)), .array(tokens.map(\.value))]))
        }
        guard !statements.isEmpty else { return }
        let rows = try connection.query(statements)
        if !devices.isEmpty, let rows = rows.first { try note(rows, of: devices) }
        if !tokens.isEmpty, let rows = rows.last { try note(rows, of: tokens) }
    }

    /// Only an installation that was silent for long may have stale tokens. A sweep's clock may be ahead of
    /// ours, but not by a day.
    private mutating func note(_ rows: PostgresRows, of devices: [(key: AppDevice, value: Instant)]) throws {
        let quietSince = now - .days(SweepRules.leastStaleAfterDays - 1)
        let ids: [Int64] = try rows.column("installation_id")
        let before: [Instant] = try rows.column("last_sign_of_life_at")
        let erased: [Bool] = try rows.column("is_erased")
        let tokenless: [Bool] = try rows.column("is_tokenless")
        for (index, position) in try rows.column("position", as: Int64.self).enumerated() {
            let (device, at) = devices[Int(position) - 1]
            let isDue = !erased[index] && at - before[index] >= TokenRules.writeInterval
            written.installations[device] = .init(id: ids[index], at: isDue ? at : before[index])
            if tokenless[index] && !erased[index] || isDue && before[index] < quietSince {
                wokenInstallations.append(ids[index])
            }
        }
    }

    /// Touched tokens are returned with their state.
    private mutating func note(_ rows: PostgresRows, of tokens: [(key: Int64, value: Instant)]) throws {
        let states = try rows.column("state", as: String.self)
        for (index, position) in try rows.column("position", as: Int64.self).enumerated() {
            let (tokenID, at) = tokens[Int(position) - 1]
            written.tokens[tokenID] = .init(id: tokenID, at: at)
            if states[index] == TokenState.stale.rawValue { staleTokens.append(tokenID) }
        }
    }

    mutating func wakeStale() {
        guard !wokenInstallations.isEmpty || !staleTokens.isEmpty else { return }
        written.wakesTokens = true
        connection.enqueue(
            .Tokens.reviveStaleTokens,
            [.array(staleTokens.sorted()), .array(wokenInstallations), .value(now), .value(true)])
    }
}
