internal import DeliveryModel
internal import Foundation

/// The data that a rule considered, as kept in `token_transition.evidence`. It never contains a token value.
///
/// In JSON the names are snake_case and instants are milliseconds since 1970. Data that a rule did not
/// consider is absent. Statements that change many tokens write their own evidence.
struct LedgerEvidence: Sendable {
    var provider: String?
    var status: Int?
    /// The provider's own reason.
    var reason: String?
    /// The time of the token's death, according to the provider.
    var invalidSince: Instant?
    /// The send time of the push that the response is about.
    var sentAt: Instant?
    /// The time of the token's last registration, as known to the rule; for registrations, of this one.
    var registeredAt: Instant?
    /// The send time of the last accepted push, as known to the rule.
    var acceptedAt: Instant?
    /// The send time of the first push since then that was rejected with suspicion.
    var firstRejectedAt: Instant?
    /// Whether the same value is registered in the other environment, or was accepted by it.
    var knownInOtherEnvironment: Bool?
    /// The evidence by which suspicious rejections were judged, and the verdict.
    var environment: EnvironmentEvidence?
    var environmentVerdict: EnvironmentVerdict?
    /// The breaker's counts when it held the token back.
    var breaker: BreakerCounts?
    /// The token that took the slot, or the installations between which the token moved.
    var successorTokenID: Int64?
    var fromInstallationID: Int64?
    var toInstallationID: Int64?
    /// `import` if the change came from a table; `nil` if it came from an app or a sender.
    var source: String?
}

extension LedgerEvidence {
    init(_ response: TokenEvidence, about token: Token) {
        self.init(
            provider: response.provider, status: response.status, reason: response.reason,
            invalidSince: response.invalidSince, sentAt: response.sentAt,
            registeredAt: token.lastRegisteredAt, acceptedAt: token.lastAcceptedAt,
            firstRejectedAt: token.firstRejectedAt,
            knownInOtherEnvironment: response.isKnownInOtherEnvironment ? true : nil,
            environmentVerdict: response.environmentVerdict(on: token))
        if environmentVerdict != nil {
            environment = response.environment
            environment?.acceptedAt = token.lastAcceptedAt
        }
    }

    /// The JSON of `evidence`. Written by hand, because every response that changes a token has one, and an
    /// encoder takes half as long as all other work for the response.
    func json() throws -> String {
        var json = JSONBytes(capacity: 256)
        json.raw("{")
        json.add("provider", provider)
        json.add("status", status.map(Int64.init))
        json.add("reason", reason)
        json.add("invalid_since", invalidSince)
        json.add("sent_at", sentAt)
        json.add("registered_at", registeredAt)
        json.add("accepted_at", acceptedAt)
        json.add("first_rejected_at", firstRejectedAt)
        if let knownInOtherEnvironment {
            json.member(
                "known_in_other_environment", document: (knownInOtherEnvironment ? "true" : "false").utf8)
        }
        try json.add("environment", document: environment)
        json.add("environment_verdict", environmentVerdict?.rawValue)
        try json.add("breaker", document: breaker)
        json.add("successor_token_id", successorTokenID)
        json.add("from_installation_id", fromInstallationID)
        json.add("to_installation_id", toInstallationID)
        json.add("source", source)
        json.raw("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Omits members that are `nil`.
extension JSONBytes {
    fileprivate mutating func add(_ name: StaticString, _ value: String?) {
        if let value { member(name, value) }
    }

    fileprivate mutating func add(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    fileprivate mutating func add(_ name: StaticString, _ value: Instant?) {
        if let value { member(name, value.millisecondsSinceEpoch) }
    }

    /// Adds a member that only few rows have.
    fileprivate mutating func add(_ name: StaticString, document value: (some Encodable)?) throws {
        if let value { member(name, document: try JSONEncoder().encode(value)) }
    }
}
