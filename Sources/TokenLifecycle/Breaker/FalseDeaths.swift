public import DeliveryModel
public import PostgresClient

/// How often each rule that claims a death was wrong: how many of the tokens it retired came back to life.
///
/// This is an upper bound: if an app was deleted and installed again, it may get the same token again
/// although it had died.
public struct FalseDeaths: Hashable, Sendable {
    /// The rules that claim a death. A token that was rotated or logged out was not claimed dead.
    public static let rules: [TokenRule] = [.unregistered, .badToken, .confirmed, .swept]

    public struct Row: Hashable, Decodable, Sendable {
        public let rule: String
        /// Tokens that the rule retired within the window, each counted once.
        public let retired: Int64
        /// The retired tokens that became active again.
        public let revived: Int64
        /// The retired tokens for which a provider accepted a later push.
        public let accepted: Int64
        /// The retired tokens that an app registered again.
        public let registered: Int64
        /// The retired tokens to which any of this happened.
        public let cameBack: Int64

        public var rate: Proportion { Proportion(cameBack, of: retired) }
    }

    /// Sorted by the number of retired tokens, descending.
    public let rows: [Row]
}

extension FalseDeaths {
    /// - Parameters:
    ///   - from: counts tokens retired at or after this instant.
    ///   - to: counts tokens retired before this instant. Those that came back are counted until now.
    /// - Throws: `PostgresError`.
    public init(appID: Int64, from: Instant, to: Instant, on connection: PostgresConnection) throws {
        rows = try connection.query(
            .Tokens.falseDeaths,
            [.value(appID), .value(from), .value(to), .array(Self.rules.map(\.rawValue))]
        ).decode()
    }
}

/// How often past sweeps were wrong: how many of the tokens that they changed became active again.
///
/// For tokens that became stale, that is the purpose of staleness: they came back in time. For tokens that
/// were swept, it is the false-death rate, an upper bound: a reinstalled app may get the same token again.
public struct PastSweeps: Hashable, Sendable {
    /// How far back sweeps count.
    public static let window = Span.days(365)

    public struct Row: Hashable, Decodable, Sendable {
        /// `stale` or `swept`.
        public let rule: String
        /// Tokens that sweeps changed by this rule, each counted once.
        public let changed: Int64
        /// Those of them that have become active again since.
        public let revived: Int64

        public var rate: Proportion { Proportion(revived, of: changed) }
    }

    /// One per rule by which a token was changed; empty if there was no sweep.
    public let rows: [Row]
}

extension PastSweeps {
    /// - Throws: `PostgresError`.
    public init(appID: Int64, now: Instant, on connection: PostgresConnection) throws {
        let rules: [TokenRule] = [.stale, .swept]
        rows = try connection.query(
            .Tokens.pastSweeps,
            [.value(appID), .value(now - Self.window), .array(rules.map(\.rawValue))]
        ).decode()
    }
}
