/// The meaning of a provider's response for the push.
public enum OutcomeClass: Hashable, Sendable {
    case accepted
    case rejected(RejectionClass)

    /// Parses the name in the table `provider_reason`.
    public init?(name: String) {
        if name == "accepted" {
            self = .accepted
        } else if let rejectionClass = RejectionClass(rawValue: name) {
            self = .rejected(rejectionClass)
        } else {
            return nil
        }
    }

    public var name: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let rejectionClass): rejectionClass.rawValue
        }
    }

    /// The rank among several responses to one notification, of which the lowest counts: acceptance, then the most final
    /// rejection.
    public var rank: Int16 {
        switch self {
        case .accepted: 0
        case .rejected(let rejectionClass): Int16(rejectionClass.position) + 1
        }
    }

    /// The rank of a final response: lower than acceptance, if it is a rejection.
    public var finalRank: Int16 { self == .accepted ? 0 : rank - 100 }
}

/// The meaning of a provider's response for the device token, the only part of it that a token rule may depend on.
public enum TokenVerdict: String, CaseIterable, Sendable {
    case keep
    case suspect
    case invalidate
    case invalidateIfNotReregistered = "invalidate_if_not_reregistered_since_timestamp"
}

/// A provider's response, classified.
public struct Outcome: Hashable, Sendable {
    public let outcomeClass: OutcomeClass
    public let tokenVerdict: TokenVerdict

    public init(_ outcomeClass: OutcomeClass, _ tokenVerdict: TokenVerdict) {
        self.outcomeClass = outcomeClass
        self.tokenVerdict = tokenVerdict
    }

    /// Whether the list contains the reason; one that it does not contain harms no token.
    public var isListed = true

    static let accepted = Outcome(.accepted, .keep)
}

/// The table `provider_reason` in memory.
public struct RejectionTaxonomy: Sendable {
    public struct Key: Hashable, Sendable {
        let provider: String
        let status: String
        let reason: String

        public init(provider: String, status: String, reason: String) {
            self.provider = provider
            self.status = status
            self.reason = reason
        }
    }

    private let outcomes: [Key: Outcome]
    /// Statuses for which individual reasons are listed: any other reason for them is unlisted.
    private let statusesWithReasons: Set<Key>

    public init(_ outcomes: [Key: Outcome]) {
        self.outcomes = outcomes
        statusesWithReasons = Set(
            outcomes.keys.filter { $0.reason != "*" && $0.reason != "" }
                .map { Key(provider: $0.provider, status: $0.status, reason: "*") })
    }

    /// Classifies a response. An exact reason is preferred: under the status, its range, or any status; then any other reason
    /// under the status or its range; then the provider's default. A 2xx with other words is an acceptance by every provider,
    /// unless the list says otherwise for that status: some providers put an error into a 200, and some libraries report an error
    /// without its status.
    public func outcome(provider: String, status: Int, reason: String?) -> Outcome {
        let words = reason ?? (status == 0 ? "NO_RESPONSE" : "")
        func listed(_ status: String, _ reason: String) -> Outcome? {
            outcomes[Key(provider: provider, status: status, reason: reason)]
        }
        func anyReason(_ status: String) -> Outcome? {
            guard var outcome = listed(status, "*") else { return nil }
            let hasOthers = statusesWithReasons.contains(Key(provider: provider, status: status, reason: "*"))
            outcome.isListed = !hasOthers || (words.isEmpty && outcome.tokenVerdict != .keep)
            return outcome
        }
        let (code, range) = (String(status), "\(status / 100)xx")
        if let exact = listed(code, words) ?? listed(range, words) ?? listed("*", words) { return exact }
        let others = anyReason(code)
        if others == nil, (200...299).contains(status) { return .accepted }
        if let known = others ?? anyReason(range) { return known }
        var rest = listed("*", "*") ?? Outcome(.rejected(.unknown), .keep)
        rest.isListed = false
        return rest
    }
}
