internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Logging
internal import PostgresClient
internal import TokenLifecycle
internal import Vault

/// A token history that was played, and the result of each of its steps.
struct PlayedTokens: Sendable {
    let history: TokenHistory
    let appID: Int64
    var outcomes: [String] = []
}

/// Plays token histories that share a clock, each on its own app. The steps of one instant are one
/// transaction of registrations, one batch of posts, and then the operator's actions.
struct TokenPlayer: Sendable {
    private let pool: PostgresPool
    private let vault: TokenVault
    private let registry: DeviceRegistry
    private let writer: DeliveryWriter

    /// - Parameter lane: the number of this player; players that run at the same time have different ones.
    init(pool: PostgresPool, vault: TokenVault, taxonomy: RejectionTaxonomy, lane: Int) {
        self.pool = pool
        self.vault = vault
        registry = DeviceRegistry(vault: vault)
        writer = DeliveryWriter(
            pool: pool, vault: vault, taxonomy: taxonomy, firstShard: Int16(lane),
            logger: Logger(label: "reference-model"))
    }

    /// A step that is due, of the history at that position.
    private struct Due: Sendable {
        let position: Int
        let history: TokenHistory
        let appID: Int64
        let deed: TokenDeed
    }

    func play(_ histories: [TokenHistory]) async throws -> [PlayedTokens] {
        var played = zip(histories, try await makeApps(histories)).map {
            PlayedTokens(history: $0, appID: $1)
        }
        guard let clock = histories.first?.clock else { return [] }
        for (tick, instant) in clock.instants.enumerated() {
            let due = played.enumerated().compactMap { position, played in
                played.history.steps.first { $0.tick == tick }.map {
                    Due(position: position, history: played.history, appID: played.appID, deed: $0.deed)
                }
            }
            for (position, outcome) in try await play(due, now: Instant(millisecondsSinceEpoch: instant)) {
                played[position].outcomes.append(outcome)
            }
        }
        return played
    }

    private func makeApps(_ histories: [TokenHistory]) async throws -> [Int64] {
        let slugs = histories.map { _ in "tokens-" + UUID().uuidString.lowercased() }
        return try await pool.withTransaction { connection in
            let apps = try SoakApps.make(slugs, settings: histories.map(\.settings.json), on: connection)
            return slugs.compactMap { apps[$0] }
        }
    }

    private func play(_ due: [Due], now: Instant) async throws -> [(Int, String)] {
        var people: [Due] = []
        var posts: [Due] = []
        var others: [Due] = []
        for step in due {
            switch step.deed {
            case .register, .logOut, .erase: people.append(step)
            case .post: posts.append(step)
            case .sweep, .decide, .restore: others.append(step)
            }
        }
        return try await tell(people, now: now) + post(posts, now: now) + decide(others, now: now)
    }

    // MARK: - People

    private func tell(_ due: [Due], now: Instant) async throws -> [(Int, String)] {
        guard !due.isEmpty else { return [] }
        return try await pool.withTransaction(attempts: 4) { [registry] connection in
            try due.map { step in
                (step.position, try Self.tell(step, registry, now: now, on: connection))
            }
        }
    }

    private static func tell(
        _ step: Due, _ registry: DeviceRegistry, now: Instant, on connection: PostgresConnection
    ) throws -> String {
        switch step.deed {
        case .register(let registration):
            let posted = Registration(registration, in: step.history)
            do {
                let registered = try registry.register(posted, appID: step.appID, now: now, on: connection)
                return registered.tokens.map { "\($0.change.rawValue) \($0.state.rawValue)" }.joined(
                    separator: ", ")
            } catch is DeviceRegistryError {
                return "erased_device"
            }
        case .logOut(let phone):
            let deviceID = step.history.phones[phone]
            return "\(try registry.logOut(deviceID: deviceID, appID: step.appID, now: now, on: connection))"
        case .erase(let phone):
            let receipt = try Erasure(appID: step.appID)
                .erase(step.history.phones[phone], now: now, on: connection)
            guard let receipt else { return "unknown" }
            guard receipt.erasedAt == now else { return "the same receipt" }
            let counts = receipt.counts
            return "tokens \(counts.tokens), values \(counts.tokenValues), "
                + "accounts \(counts.accountBindings), permissions \(counts.permissionPeriods)"
        default: return ""
        }
    }

    // MARK: - Posts

    private func post(_ due: [Due], now: Instant) async throws -> [(Int, String)] {
        guard !due.isEmpty else { return [] }
        let batches = due.map { step -> [BatchItem] in
            guard case .post(let items) = step.deed else { return [] }
            return items.map { item in
                BatchItem(
                    appID: step.appID, text: [], poster: .server,
                    content: .success(Event(item, in: step.history)))
            }
        }
        var verdicts = try await writer.write(batches.flatMap { $0 }, now: now)[...]
        return zip(due, batches).map { step, batch in
            let own = verdicts.prefix(batch.count).map { $0.outcome == .accepted ? "accepted" : "duplicate" }
            verdicts = verdicts.dropFirst(batch.count)
            return (step.position, own.joined(separator: ", "))
        }
    }

    // MARK: - Operator's actions

    private func decide(_ due: [Due], now: Instant) async throws -> [(Int, String)] {
        guard !due.isEmpty else { return [] }
        return try await pool.withConnection { connection in
            try due.map { ($0.position, try Self.decide($0, now: now, on: connection)) }
        }
    }

    private static func decide(
        _ step: Due, now: Instant, on connection: PostgresConnection
    ) throws -> String {
        switch step.deed {
        case .sweep(let maxShare): return try sweep(step.appID, maxShare, now: now, on: connection)
        case .decide(let isRelease, let scope):
            let result = try HeldTokens(appID: step.appID, on: connection)
                .decide(isRelease ? .release : .confirm, TokenFilter(scope), now: now)
            return "changed \(result.changedCount)"
        case .restore(let word, let since, let scope):
            guard let rule = TokenRule(rawValue: word) else { return "no such rule" }
            let restoration = Restoration(
                appID: step.appID, undoing: rule, since: Instant(millisecondsSinceEpoch: since),
                filter: TokenFilter(scope), on: connection)
            let plan = try restoration.plan()
            let result = try restoration.apply(plan, now: now)
            return "restored \(result.changedCount), changed since \(plan.hindered(.changedSince))"
        default: return ""
        }
    }

    private static func sweep(
        _ appID: Int64, _ maxShare: Double, now: Instant, on connection: PostgresConnection
    ) throws -> String {
        // Without a rest between batches: the other lanes can wait.
        let sweep = Sweep(appID: appID, on: connection, rest: { _ in })
        do {
            var rules = try sweep.rules()
            rules.maxShare = maxShare
            let result = try sweep.apply(rules, now: now)
            return "stale \(result.staleCount), swept \(result.retiredCount), expired \(result.expiredCount)"
        } catch let refusal as SweepRefusal {
            switch refusal {
            case .nobodyHeard: return "refused: nobody was heard"
            case .tooMany: return "refused: too many"
            }
        }
    }
}
