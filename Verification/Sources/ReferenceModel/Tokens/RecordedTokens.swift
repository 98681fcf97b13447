internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Reports
internal import Vault

/// The database's content for the apps of token histories.
struct RecordedTokens {
    /// By app.
    private(set) var facts: [Int64: TokenFacts] = [:]
    /// The order in which each app's tokens became known.
    private(set) var order: [Int64: [TokenName: Int]] = [:]

    private let vault: TokenVault
    private let connection: PostgresConnection
    private let apps: PostgresParameter

    init(of played: [PlayedTokens], _ vault: TokenVault, on connection: PostgresConnection) throws {
        self.vault = vault
        self.connection = connection
        apps = .array(played.map(\.appID))
        for played in played {
            facts[played.appID] = TokenFacts(played.history)
            for (number, outcome) in played.outcomes.enumerated() {
                facts[played.appID]?.add("step \(number)", outcome)
            }
        }
        try readTokens(played)
        try readInstallations()
        for row in try connection.query(.Soak.recordedBreakers, [apps]) {
            let place =
                "\(try row.get("environment", as: String.self)) '\(try row.get("topic", as: String.self))'"
            facts[try row.get("app_id")]?.add("breaker of \(place)", "open")
        }
        try readPast(played)
    }

    private mutating func readTokens(_ played: [PlayedTokens]) throws {
        var ledgers: [Int64: [ReferenceToken.Entry]] = [:]
        for row in try connection.query(.Soak.recordedLedger, [apps]) {
            ledgers[try row.get("token_id"), default: []].append(try ReferenceToken.Entry(row))
        }
        var numbers: [Int64: [[UInt8]: Int]] = [:]
        for played in played {
            for (number, value) in played.history.values.enumerated() {
                numbers[played.appID, default: [:]][vault.fingerprint(of: value.text)] = number
            }
        }
        for row in try connection.query(.Soak.recordedTokens, [apps]) {
            let appID: Int64 = try row.get("app_id")
            guard let history = facts[appID]?.history, let values = numbers[appID],
                let value = values[try row.get("fingerprint")]
            else { continue }
            let successor = try row.getOptional("successor", as: [UInt8].self).flatMap { values[$0] }
            let token = try TokenRow(row, value: value, successor: successor, of: history)
            order[appID, default: [:]][token.name] = order[appID]?.count ?? 0
            facts[appID]?.add(token, ledger: ledgers[try row.get("token_id")] ?? [])
        }
    }

    private mutating func readInstallations() throws {
        for row in try connection.query(.Soak.recordedInstallations, [apps]) {
            let appID: Int64 = try row.get("app_id")
            let phone = facts[appID]?.history.phones.firstIndex(of: try row.get("device_id"))
            guard let phone else { continue }
            facts[appID]?.add(phone: phone, try PhoneRow(row))
        }
    }

    /// Reads the states at past instants and the moves between them from the report about the past. If the
    /// report fails because its numbers do not add up, that is a difference too.
    private mutating func readPast(_ played: [PlayedTokens]) throws {
        for played in played {
            let window = try WaterfallWindow(past: played.history)
            let app = App(appID: played.appID, slug: "app-\(played.appID)")
            for unit in TokenWaterfall.Unit.allCases {
                do {
                    let total = try TokenWaterfall.run(
                        for: app, unit: unit, window: window, on: connection
                    ).total
                    // The reference does not define the order in which several tokens of a phone change at
                    // one instant.
                    facts[played.appID]?.add(
                        unit, start: total.start.words, end: total.end.words,
                        moves: unit == .tokens ? total.moves.words : nil)
                } catch let problem as ReportError {
                    facts[played.appID]?.add("\(unit) of the past", "\(problem)")
                }
            }
        }
    }
}

extension WaterfallWindow {
    /// The window between the earliest and the latest past instant of a history.
    fileprivate init(past history: TokenHistory) throws {
        let (from, to) = history.pastBounds
        try self.init(
            from: Instant(millisecondsSinceEpoch: from).rfc3339,
            to: Instant(millisecondsSinceEpoch: to).rfc3339,
            by: nil, timeZone: .utc, asOf: Instant(millisecondsSinceEpoch: to))
    }
}

extension StateCounts {
    fileprivate var words: [String: Int64] {
        TokenState.allCases.reduce(into: [:]) { words, state in
            if self[state] != 0 { words[state.rawValue] = self[state] }
        }
    }
}

extension [TokenMove: Int64] {
    fileprivate var words: [String: Int64] {
        reduce(into: [:]) { words, move in
            let (key, count) = move
            words["\(key.from?.rawValue ?? "new") → \(key.to.rawValue) by \(key.rule)"] = count
        }
    }
}

extension PostgresRow {
    fileprivate func milliseconds(_ name: String) throws -> Int64 {
        try get(name, as: Instant.self).millisecondsSinceEpoch
    }

    fileprivate func optionalMilliseconds(_ name: String) throws -> Int64? {
        try getOptional(name, as: Instant.self)?.millisecondsSinceEpoch
    }
}

extension ReferenceToken.Entry {
    fileprivate init(_ row: PostgresRow) throws {
        let from: String? = try row.getOptional("from_state")
        self.init(
            at: try row.milliseconds("at"), rule: try row.get("rule"),
            from: from.flatMap(ReferenceToken.State.init(rawValue:)),
            to: ReferenceToken.State(rawValue: try row.get("to_state")) ?? .suspect,
            isOfRun: try row.get("has_run"), sentAt: try row.getOptional("sent_at"),
            invalidSince: try row.getOptional("invalid_since"),
            registeredAt: try row.getOptional("registered_at"),
            environmentVerdict: try row.getOptional("environment_verdict"),
            undoneRule: try row.getOptional("undone_rule"))
    }
}

extension TokenRow {
    fileprivate init(_ row: PostgresRow, value: Int, successor: Int?, of history: TokenHistory) throws {
        let deviceID: UUID? = try row.getOptional("device_id")
        self.init(
            name: TokenName(value: value, environment: try row.get("environment")),
            state: try row.get("state"), cause: try row.getOptional("cause"), topic: try row.get("topic"),
            owner: deviceID.flatMap { history.phones.firstIndex(of: $0) }, hasValue: try row.get("has_value"),
            successor: successor, holdsSlot: try row.get("holds_slot"),
            registeredAt: try row.optionalMilliseconds("last_registered_at"),
            acceptedAt: try row.optionalMilliseconds("last_accepted_at"),
            firstRejectedAt: try row.optionalMilliseconds("first_rejected_at"),
            lastRejectedAt: try row.optionalMilliseconds("last_rejected_at"),
            diedAt: try row.optionalMilliseconds("died_at"),
            lifeAt: try row.milliseconds("last_sign_of_life_at"),
            changedAt: try row.milliseconds("state_changed_at"),
            expiresAt: try row.optionalMilliseconds("expires_at"))
    }
}

extension PhoneRow {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            permission: try row.get("permission"), appVersion: try row.get("app_version"),
            registeredAt: try row.milliseconds("last_registered_at"),
            lifeAt: try row.milliseconds("last_sign_of_life_at"),
            erasedAt: try row.optionalMilliseconds("erased_at"), accounts: try row.get("accounts"),
            permissions: try row.get("permissions"))
    }
}
