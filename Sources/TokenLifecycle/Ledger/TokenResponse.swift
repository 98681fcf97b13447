public import DeliveryModel

/// One response about one token.
public struct TokenResponse: Sendable {
    public var appID: Int64
    public var token: Token
    public var evidence: TokenEvidence
    /// This and `topic` are the token's; they determine the breaker.
    public var environment: Environment
    public var topic: String
    /// The place that the response names, if it differs from the token's.
    public var otherPlace: TokenPlace?
    /// Whether the response is about the token. Otherwise, it is kept with the token and does not change it.
    public var isMeant = true

    public init(
        appID: Int64, token: Token, evidence: TokenEvidence, environment: Environment = .production,
        topic: String = ""
    ) {
        self.appID = appID
        self.token = token
        self.evidence = evidence
        self.environment = environment
        self.topic = topic
    }

    var breaker: BreakerKey { BreakerKey(appID: appID, environment: environment, topic: topic) }
}
