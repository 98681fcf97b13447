public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// How often each rule that claims a death was wrong: of the tokens it retired, how many came back to life.
///
/// An upper bound: an app that was deleted and installed again may get the same token again, and the death was real.
public struct FalseDeaths: Hashable, Sendable {
    /// Rules that claim a death. A token that was rotated or logged out is not dead by a claim of ours.
    public static let rules: [TokenRule] = [.unregistered, .badToken, .confirmed, .swept]

    public struct Row: Hashable, Sendable {
        public let rule: String
        /// Tokens that the rule retired within the window; each once.
        public let retired: Int64
        /// Those of them that became active again.
        public let revived: Int64
        /// … that a provider accepted a later push for.
        public let accepted: Int64
        /// … that an app registered again.
        public let registered: Int64
        /// … any of these.
        public let cameBack: Int64

        public init(
            rule: String, retired: Int64, revived: Int64, accepted: Int64, registered: Int64, cameBack: Int64
        ) {
            self.rule = rule
            self.retired = retired
            self.revived = revived
            self.accepted = accepted
            self.registered = registered
            self.cameBack = cameBack
        }

        public var rate: Proportion { Proportion(cameBack, of: retired) }
    }

    /// The most retired first.
    public let rows: [Row]

    public init(rows: [Row]) {
        self.rows = rows
    }

    /// - Parameters:
    ///   - from: tokens retired from then on.
    ///   - to: … and before this instant. What came back is looked for until now.
    /// - Throws: `PostgresError`.
    public init(
        appID: Int64, from: Instant, to: Instant, rules: [TokenRule] = FalseDeaths.rules,
        on connection: PostgresConnection
    ) throws {
        rows = try connection.query(
            .Tokens.falseDeaths,
            [.value(appID), .value(from), .value(to), .array(rules.map(\.rawValue))]
        ).map { row in
            Row(
                rule: try row.get("rule"), retired: try row.get("retired_count"),
                revived: try row.get("revived_count"), accepted: try row.get("accepted_count"),
                registered: try row.get("registered_count"), cameBack: try row.get("came_back_count"))
        }
    }
}
