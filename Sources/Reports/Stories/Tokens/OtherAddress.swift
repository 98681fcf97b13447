public import Instants
internal import PostgresClient

/// The responses about a token under another address than the registered one.
public struct OtherAddress: Hashable, Sendable {
    public let provider: String
    public let environment: String
    /// Empty if the responses named none, and several registered tokens have the value.
    public let topic: String
    public let lastSaidAt: Instant
    public let responses: Int64
    /// Send time of the last push that was accepted there; `nil` if none was.
    public let lastAcceptedAt: Instant?
    public let lastRejectedAt: Instant?
    public let lastStatus: Int32
    /// Empty without one.
    public let lastReason: String

    /// `apns, sandbox, com.example.shop`.
    public var address: String {
        [provider, environment, topic].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `400 BadDeviceToken`.
    public var lastWords: String { lastReason.isEmpty ? "\(lastStatus)" : "\(lastStatus) \(lastReason)" }
}

extension OtherAddress {
    init(_ row: PostgresRow) throws {
        provider = try row.get("provider")
        environment = try row.get("environment")
        topic = try row.get("topic")
        lastSaidAt = try row.get("last_said_at")
        responses = try row.get("response_count")
        lastAcceptedAt = try row.getOptional("last_accepted_at")
        lastRejectedAt = try row.getOptional("last_rejected_at")
        lastStatus = try row.get("last_status")
        lastReason = try row.get("last_reason")
    }
}
