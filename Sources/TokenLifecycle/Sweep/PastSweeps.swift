public import DeliveryModel
public import Instants
public import PostgresClient
internal import SQLFiles

/// How often past sweeps were wrong: how many of the tokens that they changed became active again.
///
/// For tokens that became stale, that is the purpose of staleness: they came back in time. For tokens that were swept, it is the
/// false-death rate, an upper bound: an app that is installed again may get the same token again.
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
