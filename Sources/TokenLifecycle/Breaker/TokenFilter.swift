public import DeliveryModel
internal import PostgresClient

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
