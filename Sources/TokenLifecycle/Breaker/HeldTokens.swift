public import DeliveryModel
public import PostgresClient

/// Tokens that the breaker kept from being retired, and the decision about them.
public struct HeldTokens {
    public enum Decision: String, CaseIterable, Sendable {
        /// The responses were wrong: the tokens become active again.
        case release
        /// The responses were right: the tokens retire.
        case confirm

        var state: TokenState { self == .release ? .active : .retired }
        var rule: TokenRule { self == .release ? .released : .confirmed }
    }

    /// The tokens that one breaker holds back.
    public struct Group: Hashable, Decodable, Sendable {
        public let environment: String
        /// Empty when unknown.
        public let topic: String
        public let openedAt: Instant
        public let heldTokens: Int64
    }

    private let appID: Int64
    private let connection: PostgresConnection

    public init(appID: Int64, on connection: PostgresConnection) {
        self.appID = appID
        self.connection = connection
    }

    /// The groups held back, most tokens first. An open breaker that no longer holds back any has count 0.
    public func groups(_ filter: TokenFilter = TokenFilter()) throws -> [Group] {
        try connection.query(.Tokens.listBreakers, [.value(appID)] + filter.parameters).decode()
    }

    /// Applies a decision and closes the breakers: responses retire tokens again, and counting restarts.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the run cleanly, with the breakers still open.
    ///   - progress: receives the number of tokens changed so far, after each batch.
    /// - Throws: `LockTaken` if another run of the app is in progress, `PostgresError`.
    public func decide(
        _ decision: Decision, _ filter: TokenFilter, now: Instant, isStopped: () -> Bool = { false },
        progress: (Int64) -> Void = { _ in }
    ) throws -> TokenRunResult {
        let run = TokenRun(action: decision.rawValue, appID: appID, connection: connection)
        return try run.carryOut(from: Int64(0), now: now, isStopped: isStopped, progress: progress) {
            runID, last in
            // Under the lock, ingestion holds back no further tokens, so if none is found, none is left.
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
            guard let furthest = try rows.column("token_id", as: Int64.self).max() else {
                // A breaker that meanwhile held back tokens before the cursor stays open.
                try connection.query(.Tokens.closeBreakers, scope + [.value(BreakerMinute(now).start)])
                return nil
            }
            return (Int64(rows.count), furthest)
        }
    }

    /// The number of open breakers of all apps.
    public static func openBreakers(on connection: PostgresConnection) throws -> Int64 {
        try connection.query(.Tokens.countOpenBreakers).single().get("open_count")
    }
}

/// The tokens that a decision is about.
public struct TokenFilter: Hashable, Sendable {
    /// `nil` for any.
    public var environment: Environment?
    /// `nil` for any; empty for tokens whose topic is unknown.
    public var topic: String?

    public init(environment: Environment? = nil, topic: String? = nil) {
        self.environment = environment
        self.topic = topic
    }

    var parameters: [PostgresParameter] { [.value(environment?.rawValue), .value(topic)] }
}
