public import DeliveryModel
public import PostgresClient

/// Undoes what a rule did to tokens since an instant, as new rows of the ledger.
public struct Restoration {
    /// Rules that can be undone: judgments of tokens, not acts of people or apps (log out, rotate, erase).
    public static let rules: [TokenRule] = [
        .unregistered, .badToken, .late410Repeated, .confirmed, .breaker, .stale, .unlisted, .swept,
    ]

    public enum Hindrance: String, CaseIterable, Sendable {
        /// Another rule has changed it since.
        case changedSince = "changed_since"
        /// Its value was erased, so nothing could be sent to it.
        case valueErased = "value_erased"
        /// Its slot has a newer token.
        case slotTaken = "slot_taken"
    }

    /// Tokens of one environment and topic.
    public struct Group: Hashable, Sendable {
        public let environment: String
        /// Empty if unknown.
        public let topic: String
        /// The number of tokens that can be restored.
        public var restorable: Int64 = 0
        public var hindered: [Hindrance: Int64] = [:]
    }

    public struct Plan: Hashable, Sendable {
        /// Sorted by environment and topic.
        public fileprivate(set) var groups: [Group] = []
        fileprivate var tokenIDs: [Int64] = []

        public var restorable: Int64 { groups.reduce(0) { $0 + $1.restorable } }

        public func hindered(_ hindrance: Hindrance) -> Int64 {
            groups.reduce(0) { $0 + $1.hindered[hindrance, default: 0] }
        }
    }

    private let appID: Int64
    private let rule: TokenRule
    private let since: Instant
    private let filter: TokenFilter
    private let connection: PostgresConnection

    public init(
        appID: Int64, undoing rule: TokenRule, since: Instant, filter: TokenFilter = TokenFilter(),
        on connection: PostgresConnection
    ) {
        self.appID = appID
        self.rule = rule
        self.since = since
        self.filter = filter
        self.connection = connection
    }

    /// The changes that ``apply(_:now:isStopped:progress:)`` would make now. Only reads.
    public func plan() throws -> Plan {
        let rows = try connection.query(
            .Tokens.findRestorable,
            [.value(appID), .value(rule.rawValue), .value(since)] + filter.parameters)
        var groups: [[String]: Group] = [:]
        var plan = Plan()
        for row in rows {
            let environment: String = try row.get("environment")
            let topic: String = try row.get("topic")
            var group = groups[[environment, topic]] ?? Group(environment: environment, topic: topic)
            if let hindrance = try row.getOptional("hindrance", as: String.self).flatMap(Hindrance.init) {
                group.hindered[hindrance, default: 0] += 1
            } else {
                group.restorable += 1
                plan.tokenIDs.append(try row.get("token_id"))
            }
            groups[[environment, topic]] = group
        }
        plan.groups = groups.values.sorted { ($0.environment, $0.topic) < ($1.environment, $1.topic) }
        return plan
    }

    /// Carries out a plan in batches. Each token is checked again; one that has changed since stays as it is.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the run cleanly.
    ///   - progress: receives the number of tokens changed so far, after each batch.
    /// - Throws: `LockTaken` if another run of the app is in progress, `PostgresError`.
    public func apply(
        _ plan: Plan, now: Instant, isStopped: () -> Bool = { false }, progress: (Int64) -> Void = { _ in }
    ) throws -> TokenRunResult {
        let run = TokenRun(action: "restore", appID: appID, connection: connection)
        return try run.carryOut(
            from: plan.tokenIDs[...], now: now, isStopped: isStopped, progress: progress
        ) { runID, left in
            guard !left.isEmpty else { return nil }
            let batch = Array(left.prefix(TokenRun.batchSize))
            let rows = try connection.query(
                .Tokens.restoreTokens,
                [
                    .value(appID), .value(rule.rawValue), .value(since), .array(batch), .value(now),
                    .value(runID),
                ])
            return (Int64(rows.count), left.dropFirst(batch.count))
        }
    }
}
