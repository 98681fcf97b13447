internal import PostgresClient
internal import ReferenceModel

/// One soak of tokens on its own database.
struct TokenSoakRun: Sendable {
    let seeds: Range<UInt64>

    /// The number of groups that are played at the same time.
    private static let lanes = 3

    /// - Returns: whether all results are right.
    func run() async throws -> Bool {
        try await SoakGround.use { ground in
            let started = ContinuousClock.now
            let soak = try await TokenSoak(pool: ground.pool, lanes: Self.lanes)
            let outcome = try await soak.run(seeds: seeds) { outcome in
                note("\(outcome.histories) histories, \(outcome.steps) steps")
            }
            return judge(outcome, took: ContinuousClock.now - started)
        }
    }

    private func judge(_ outcome: TokenSoakOutcome, took: Duration) -> Bool {
        if let failure = outcome.failure {
            print(failure)
            return false
        }
        let rate = Double(outcome.histories) / max(took / .seconds(1), 0.001)
        print(
            """
            seeds \(seeds.lowerBound) to \(seeds.upperBound - 1): \(outcome.histories) histories of tokens, \
            \(outcome.steps) steps, \(outcome.transitions) rows of the ledger, all as expected
            \(Int(rate)) histories per second
            """)
        return true
    }
}
