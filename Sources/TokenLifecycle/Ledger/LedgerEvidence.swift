public import DeliveryModel
internal import Foundation

/// What a rule looked at, as the ledger keeps it in `token_transition.evidence`. A token value is never here.
///
/// In JSON the names are snake_case and instants are milliseconds since 1970. What a rule did not look at is missing, and
/// what a later version wrote is ignored.
public struct LedgerEvidence: Codable, Hashable, Sendable {
    public var provider: String?
    public var status: Int?
    /// The provider's word.
    public var reason: String?
    /// The provider's time of the token's death.
    public var invalidSince: Instant?
    /// When the push was sent that the answer is about.
    public var sentAt: Instant?
    /// When the token was registered last, as the rule saw it; for registrations, when this one was made.
    public var registeredAt: Instant?
    /// Send time of the last accepted push, as the rule saw it.
    public var acceptedAt: Instant?
    /// Send time of the first push refused with suspicion since then.
    public var firstRefusedAt: Instant?
    /// The same value is registered in, or was accepted by, the other environment.
    public var knownInOtherEnvironment: Bool?
    /// What suspicious refusals were weighed by, and what came of it.
    public var environment: EnvironmentEvidence?
    public var environmentVerdict: EnvironmentVerdict?
    /// What the breaker had counted when it held the token back.
    public var breaker: BreakerCounts?
    /// The rule whose work was undone or confirmed.
    public var undoneRule: String?
    /// The last sign of life before the token became stale.
    public var silentSince: Instant?
    /// When the token that is swept became stale.
    public var staleSince: Instant?
    /// The token that took the slot, or the installations between which the token moved.
    public var successorTokenID: Int64?
    public var fromInstallationID: Int64?
    public var toInstallationID: Int64?
    /// `import` when a table said so; nil when an app or a sender did.
    public var source: String?

    public init() {}

    init(_ answer: TokenEvidence, about token: Token) {
        provider = answer.provider
        status = answer.status
        reason = answer.reason
        invalidSince = answer.invalidSince
        sentAt = answer.sentAt
        registeredAt = token.lastRegisteredAt
        acceptedAt = token.lastAcceptedAt
        firstRefusedAt = token.firstRefusedAt
        knownInOtherEnvironment = answer.isKnownInOtherEnvironment ? true : nil
        environmentVerdict = answer.environmentVerdict(on: token)
        if environmentVerdict != nil {
            environment = answer.environment
            environment?.acceptedAt = token.lastAcceptedAt
        }
    }

    enum CodingKeys: String, CodingKey {
        case provider, status, reason, environment, breaker, source
        case invalidSince = "invalid_since"
        case sentAt = "sent_at"
        case registeredAt = "registered_at"
        case acceptedAt = "accepted_at"
        case firstRefusedAt = "first_refused_at"
        case knownInOtherEnvironment = "known_in_other_environment"
        case environmentVerdict = "environment_verdict"
        case undoneRule = "undone_rule"
        case silentSince = "silent_since"
        case staleSince = "stale_since"
        case successorTokenID = "successor_token_id"
        case fromInstallationID = "from_installation_id"
        case toInstallationID = "to_installation_id"
    }

    /// Reads the text of `evidence`.
    public init(json: String) throws {
        self = try JSONDecoder().decode(LedgerEvidence.self, from: Data(json.utf8))
    }
}
