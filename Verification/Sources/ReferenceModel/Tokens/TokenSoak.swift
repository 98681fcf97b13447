internal import DeliveryModel
internal import Ingestion
public import PostgresClient
internal import Vault

/// Plays token histories and compares the results with the reference.
public struct TokenSoak: Sendable {
    private let pool: PostgresPool
    private let players: [TokenPlayer]
    private let vault: TokenVault
    private let maker = TokenHistoryMaker()

    /// - Parameter lanes: the number of groups of histories that are played at the same time.
    public init(pool: PostgresPool, lanes: Int = 2) async throws {
        let vault = TokenVault(.random())
        let taxonomy = try await pool.withConnection { try RejectionTaxonomy(from: $0) }
        self.pool = pool
        self.vault = vault
        players = (0..<max(1, lanes)).map { lane in
            TokenPlayer(pool: pool, vault: vault, taxonomy: taxonomy, lane: lane)
        }
    }

    /// Plays all histories, up to the first groups in which one fails.
    ///
    /// - Parameter progress: called after each round of groups.
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

    /// Splits the seeds into groups that share a clock.
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
