internal import Ingestion
public import PostgresClient
internal import TokenLifecycle

/// Plays token histories and compares what came of them with the reference.
public struct TokenSoak: Sendable {
    private let pool: PostgresPool
    private let players: [TokenPlayer]
    private let vault: TokenVault
    private let maker = TokenHistoryMaker()

    /// - Parameter lanes: so many groups of histories are played at the same time.
    public init(pool: PostgresPool, lanes: Int = 2) async throws {
        let vault = TokenVault(.random())
        let taxonomy = try await pool.withConnection { try RejectionTaxonomy(from: $0) }
        self.pool = pool
        self.vault = vault
        players = (0..<max(1, lanes)).map { lane in
            TokenPlayer(pool: pool, vault: vault, taxonomy: taxonomy, lane: lane)
        }
    }

    /// Ends with the first groups in which a history came out wrong.
    ///
    /// - Parameter progress: called now and then.
    public func run(
        seeds: Range<UInt64>, progress: (TokenSoakOutcome) -> Void = { _ in }
    ) async throws -> TokenSoakOutcome {
        var outcome = TokenSoakOutcome()
        var groups = self.groups(of: seeds)[...]
        while !groups.isEmpty, outcome.failure == nil {
            let findings = try await findings(on: Array(groups.prefix(players.count)))
            groups = groups.dropFirst(players.count)
            for finding in findings {
                outcome.histories += 1
                outcome.steps += finding.history.steps.count
                outcome.transitions += finding.transitionCount
            }
            if let wrong = findings.first(where: { !$0.differences.isEmpty }) {
                outcome.failure = try await shrunk(wrong)
            }
            progress(outcome)
        }
        return outcome
    }

    /// Seeds that share a clock.
    private func groups(of seeds: Range<UInt64>) -> [Range<UInt64>] {
        var groups: [Range<UInt64>] = []
        var next = seeds.lowerBound
        while next < seeds.upperBound {
            let end = (next / TokenHistoryMaker.seedsPerClock + 1) * TokenHistoryMaker.seedsPerClock
            groups.append(next..<min(end, seeds.upperBound))
            next = min(end, seeds.upperBound)
        }
        return groups
    }

    struct Finding: Sendable {
        let history: TokenHistory
        let transitionCount: Int
        let differences: [String]
    }

    private func findings(on groups: [Range<UInt64>]) async throws -> [Finding] {
        try await withThrowingTaskGroup(of: [Finding].self) { tasks in
            for (player, seeds) in zip(players, groups) {
                tasks.addTask { try await findings(on: seeds.map { maker.history(seed: $0) }, by: player) }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
    }

    private func findings(on histories: [TokenHistory], by player: TokenPlayer) async throws -> [Finding] {
        let played = try await player.play(histories)
        let (facts, order) = try await pool.withConnection { [vault] connection in
            let recorded = try RecordedTokens(of: played, vault, on: connection)
            return (recorded.facts, recorded.order)
        }
        return played.map { played in
            let reference = TokenReference(played.history, order: order[played.appID] ?? [:])
            return Finding(
                history: played.history,
                transitionCount: reference.tokens.values.reduce(0) { $0 + $1.ledger.count },
                differences: facts[played.appID]?.differences(from: TokenFacts(reference)) ?? [])
        }
    }

    private func shrunk(_ finding: Finding) async throws -> TokenSoakFailure {
        let shrunk = try await Shrinking(of: finding.history) { history in
            try await findings(on: [history], by: players[0]).first?.differences ?? []
        }.run()
        return TokenSoakFailure(
            seed: finding.history.seed, differences: finding.differences,
            smallest: shrunk?.history ?? finding.history,
            smallestDifferences: shrunk?.differences ?? finding.differences)
    }
}

/// How far a soak of tokens came.
public struct TokenSoakOutcome: Sendable {
    public internal(set) var histories = 0
    public internal(set) var steps = 0
    /// Rows of the ledger.
    public internal(set) var transitions = 0
    public internal(set) var failure: TokenSoakFailure?

    public init() {}
}

/// A token history that came out wrong.
public struct TokenSoakFailure: Sendable, CustomStringConvertible {
    public let seed: UInt64
    public let differences: [String]
    /// What is left of it when everything is taken away that it takes not.
    public let smallest: TokenHistory
    public let smallestDifferences: [String]

    public var description: String {
        """
        The token history of seed \(seed) came out wrong in \(differences.count) things. The least of it that does:
        \(smallest)

        \(smallestDifferences.joined(separator: "\n"))
        """
    }
}

extension TokenHistory: Shrinkable {
    /// The history without one of its steps, then without one of the tokens or items in one.
    var smaller: [TokenHistory] {
        let withoutStep = steps.indices.map { position in
            var history = self
            history.steps.remove(at: position)
            return history
        }
        let withoutPart = steps.indices.flatMap { position in
            steps[position].deed.smaller.map { deed in
                var history = self
                history.steps[position] = Step(tick: steps[position].tick, deed: deed)
                return history
            }
        }
        return withoutStep + withoutPart
    }
}

extension TokenDeed {
    fileprivate var smaller: [TokenDeed] {
        switch self {
        case .post(let items) where items.count > 1:
            return items.indices.map { index in
                var fewer = items
                fewer.remove(at: index)
                return .post(fewer)
            }
        case .register(let registration):
            return registration.entries.indices.map { .register(registration.without(entry: $0)) }
        default: return []
        }
    }
}

extension PhoneRegistration {
    fileprivate func without(entry: Int) -> PhoneRegistration {
        var entries = entries
        entries.remove(at: entry)
        return PhoneRegistration(
            phone: phone, entries: entries, registeredAt: registeredAt, appVersion: appVersion,
            permission: permission, account: account)
    }
}
