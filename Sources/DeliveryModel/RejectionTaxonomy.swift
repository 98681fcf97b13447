/// What a provider's answer says about the push.
public enum OutcomeClass: Hashable, Sendable {
    case accepted
    case rejected(RejectionClass)

    /// As written in the table `provider_reason`.
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

    /// Of several answers to one notification, the one with the lowest rank stands: acceptance first, then the most final
    /// class of rejection.
    public var rank: Int16 {
        switch self {
        case .accepted: 0
        case .rejected(let rejectionClass):
            Int16(RejectionClass.allCases.firstIndex(of: rejectionClass) ?? 0) + 1
        }
    }
}

/// What a provider's answer says about the device token. The only thing that a token rule may look at.
public enum TokenVerdict: String, CaseIterable, Sendable {
    case keep
    case suspect
    case invalidate
    case invalidateIfNotReregistered = "invalidate_if_not_reregistered_since_timestamp"
}

/// A provider's answer, classified.
public struct Outcome: Hashable, Sendable {
    public let outcomeClass: OutcomeClass
    public let tokenVerdict: TokenVerdict

    public init(_ outcomeClass: OutcomeClass, _ tokenVerdict: TokenVerdict) {
        self.outcomeClass = outcomeClass
        self.tokenVerdict = tokenVerdict
    }

    /// An answer that no list knows never harms a token.
    static let unknown = Outcome(.rejected(.unknown), .keep)
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

    public init(_ outcomes: [Key: Outcome]) {
        self.outcomes = outcomes
    }

    /// Classifies an answer. The exact words win; then any reason under that status; then 2xx, which is acceptance at every
    /// provider; then the ranges; then the reason under any status; then the provider's rest.
    public func outcome(provider: String, status: Int, reason: String?) -> Outcome {
        let words = reason ?? (status == 0 ? "NO_RESPONSE" : "")
        func listed(_ status: String, _ reason: String) -> Outcome? {
            outcomes[Key(provider: provider, status: status, reason: reason)]
        }
        let code = String(status)
        if let exact = listed(code, words) ?? listed(code, "*") { return exact }
        if (200...299).contains(status) { return .accepted }
        let range = "\(status / 100)xx"
        return listed(range, words) ?? listed(range, "*") ?? listed("*", words) ?? listed("*", "*")
            ?? .unknown
    }
}
