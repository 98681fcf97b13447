public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// Tokens that the breaker kept from being retired, and the decision about them.
public struct HeldTokens {
    /// What is to become of them.
    public enum Decision: String, CaseIterable, Sendable {
        /// The answers were wrong: the tokens are active again.
        case release
        /// The answers were right: the tokens retire.
        case confirm

        var state: TokenState { self == .release ? .active : .retired }
        var rule: TokenRule { self == .release ? .released : .confirmed }
    }

    /// What one breaker holds back.
    public struct Group: Hashable, Sendable {
        public let environment: String
        /// Empty when unknown.
        public let topic: String
        public let openedAt: Instant
        public let tokenCount: Int64

        public init(environment: String, topic: String, openedAt: Instant, tokenCount: Int64) {
            self.environment = environment
            self.topic = topic
            self.openedAt = openedAt
            self.tokenCount = tokenCount
        }
    }

    private let appID: Int64
    private let connection: PostgresConnection

    public init(appID: Int64, on connection: PostgresConnection) {
        self.appID = appID
        self.connection = connection
    }

    /// What is held back, most tokens first; a breaker that is open and holds nothing back any more has the count 0.
    public func groups(_ filter: TokenFilter = TokenFilter()) throws -> [Group] {
        try connection.query(.Tokens.listBreakers, [.value(appID)] + filter.parameters).map { row in
            Group(
                environment: try row.get("environment"), topic: try row.get("topic"),
                openedAt: try row.get("opened_at"), tokenCount: try row.get("held_count"))
        }
    }

    /// Carries a decision out and closes the breakers: answers retire tokens again, and are counted anew.
    ///
    /// - Parameters:
    ///   - isStopped: asked between batches; true ends the run cleanly, with the breakers still open.
    ///   - progress: told after each batch how many tokens have been changed so far.
    /// - Throws: ``SweepError/someoneElseSweeps`` while another run of the app is under way, `PostgresError`.
    public func decide(
        _ decision: Decision, _ filter: TokenFilter, now: Instant, isStopped: () -> Bool = { false },
        progress: (Int64) -> Void = { _ in }
    ) throws -> TokenRunResult {
        let run = TokenRun(action: decision.rawValue, appID: appID, connection: connection)
        return try run.carryOut(from: Int64(0), now: now, isStopped: isStopped, progress: progress) {
            runID, last in
            // Behind the lock ingestion holds no further token back, so what is counted as left is all there is.
            let scope = [PostgresParameter.value(appID)] + filter.parameters
            let rows = try connection.query([
                PostgresStatement(.Tokens.lockBreakersOfApp, scope),
                PostgresStatement(
                    .Tokens.decideHeld,
                    scope + [
                        .value(decision.state.rawValue), .value(decision.rule.rawValue), .value(now),
                        .value(runID), .value(Int64(TokenRun.batchSize)), .value(last),
                    ]),
            ])[1]
            guard let furthest = try rows.column(0, as: Int64.self).max() else {
                // A breaker that held further tokens back before the cursor meanwhile stays open.
                try close(filter, now: now)
                return nil
            }
            return TokenRun.Batch(changedCount: Int64(rows.count), next: furthest)
        }
    }

    private func close(_ filter: TokenFilter, now: Instant) throws {
        try connection.query(
            .Tokens.closeBreakers,
            [.value(appID)] + filter.parameters + [.value(BreakerMinute(now).start)])
    }

    /// How many breakers of all apps are open.
    public static func openBreakers(on connection: PostgresConnection) throws -> Int64 {
        try connection.query(.Tokens.countOpenBreakers).single().get(0)
    }
}
