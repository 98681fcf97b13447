/// The meaning of a provider's response for the push.
public enum OutcomeClass: Hashable, Sendable {
    case accepted
    case rejected(RejectionClass)

    /// Parses the name in the table `provider_reason`.
    public init?(name: String) {
        let rejection = RejectionClass(rawValue: name).map(OutcomeClass.rejected)
        guard let outcome = name == "accepted" ? OutcomeClass.accepted : rejection else { return nil }
        self = outcome
    }

    public var name: String {
        switch self {
        case .accepted: "accepted"
        case .rejected(let rejectionClass): rejectionClass.rawValue
        }
    }

    /// The lowest rank of a notification's responses counts: an acceptance, then the most final rejection.
    public var rank: Int16 {
        switch self {
        case .accepted: 0
        case .rejected(let rejectionClass): Int16(rejectionClass.position) + 1
        }
    }

    /// The rank of a final response: lower than acceptance, if it is a rejection.
    public var finalRank: Int16 { self == .accepted ? 0 : rank - 100 }
}

/// The meaning of a provider's response for the device token, the only part that a token rule may depend on.
public enum TokenVerdict: String, CaseIterable, Decodable, Sendable {
    case keep
    case suspect
    case invalidate
    case invalidateIfNotReregistered = "invalidate_if_not_reregistered_since_timestamp"
}

public struct ResponseOutcome: Hashable, Sendable {
    public let outcomeClass: OutcomeClass
    public let tokenVerdict: TokenVerdict

    public init(_ outcomeClass: OutcomeClass, _ tokenVerdict: TokenVerdict) {
        (self.outcomeClass, self.tokenVerdict) = (outcomeClass, tokenVerdict)
    }

    /// Whether the list contains the reason; one that it does not contain harms no token.
    public var isListed = true

    static let accepted = ResponseOutcome(.accepted, .keep)
    static let unlisted: ResponseOutcome = {
        var outcome = ResponseOutcome(.rejected(.unknown), .keep)
        outcome.isListed = false
        return outcome
    }()
}

/// The table `provider_reason` in memory.
public struct RejectionTaxonomy: Sendable {
    public struct Key: Hashable, Sendable {
        let provider: String
        let status: String
        let reason: String

        public init(provider: String, status: String, reason: String) {
            (self.provider, self.status, self.reason) = (provider, status, reason)
        }
    }

    /// The row for a request that got no response.
    static let noResponse = "NO_RESPONSE"

    /// An empty list: every word is unlisted.
    public static let empty = RejectionTaxonomy([:])

    public let spellings: WordSpellings
    private let outcomes: [Key: ResponseOutcome]
    /// Statuses for which individual reasons are listed: any other reason for them is unlisted.
    private let statusesWithReasons: Set<Key>
    /// The rejections of words under every status (`*`), and the outcomes of statuses with any word (`*`).
    private let unambiguous: [Key: ResponseOutcome]
    /// The providers whose 200 without a word is an acceptance: nearly all responses need only this lookup.
    private let plainAcceptances: Set<String>

    public init(_ outcomes: [Key: ResponseOutcome]) {
        self.outcomes = outcomes
        spellings = WordSpellings(outcomes.keys)
        let words = outcomes.filter { !["*", "", Self.noResponse].contains($0.key.reason) }
        statusesWithReasons = Set(
            words.keys.map { Key(provider: $0.provider, status: $0.status, reason: "*") })
        var meanings: [Key: Set<ResponseOutcome>] = [:]
        for (key, outcome) in words {
            let anyStatus = Key(provider: key.provider, status: "*", reason: key.reason)
            let anyReason = Key(provider: key.provider, status: key.status, reason: "*")
            for key in [anyStatus, anyReason] { meanings[key, default: []].insert(outcome) }
        }
        unambiguous = meanings.compactMapValues { $0.count == 1 ? $0.first : nil }
        plainAcceptances = Set(
            outcomes.filter { $0.key.status == "200" && $0.key.reason == "" && $0.value == .accepted }
                .map(\.key.provider))
    }

    /// Classifies a response. An exact reason is preferred: under the status, its range, or any status; then
    /// under another status, if it means the same rejection wherever it is listed; then any other reason
    /// under the status or its range; then the provider's default. A status without a reason means what all
    /// its reasons mean. A 2xx is an acceptance only without a reason: some providers put an error into a
    /// 200, and some libraries report an error without its status.
    ///
    /// `listed_response` in sql/reports/names.sql is the same lookup.
    public func outcome(provider: String, status: Int, reason: String?) -> ResponseOutcome {
        if reason == nil, status == 200, plainAcceptances.contains(provider) { return .accepted }
        let words = words(provider, status, reason)
        func listed(_ status: String, _ reason: String) -> ResponseOutcome? {
            outcomes[Key(provider: provider, status: status, reason: reason)]
        }
        func anyReason(_ status: String) -> ResponseOutcome? {
            guard var outcome = listed(status, "*") else { return nil }
            let hasOthers = statusesWithReasons.contains(Key(provider: provider, status: status, reason: "*"))
            outcome.isListed = !hasOthers || (words.isEmpty && outcome.tokenVerdict != .keep)
            return outcome
        }
        let (code, range) = (String(status), "\(status / 100)xx")
        if let exact = listed(code, words) ?? listed(range, words) ?? listed("*", words) { return exact }
        if let known = rejection(provider, words) { return known }
        if let others = anyReason(code) { return others }
        if words.isEmpty, let shared = unambiguous[Key(provider: provider, status: code, reason: "*")] {
            return shared
        }
        if (200...299).contains(status) { return words.isEmpty ? .accepted : .unlisted }
        if let others = anyReason(range) { return others }
        var rest = listed("*", "*") ?? .unlisted
        rest.isListed = false
        return rest
    }

    /// Whether the list has the word under this status, its range, or any status.
    public func lists(_ word: String, of provider: String, under status: Int) -> Bool {
        [String(status), "\(status / 100)xx", "*"].contains {
            outcomes[Key(provider: provider, status: $0, reason: word)] != nil
        }
    }

    private func words(_ provider: String, _ status: Int, _ reason: String?) -> String {
        guard reason == nil, status == 0 else { return reason ?? "" }
        let isListed = outcomes[Key(provider: provider, status: "0", reason: Self.noResponse)] != nil
        return isListed ? Self.noResponse : ""
    }

    /// The rejection that the word means under every status.
    private func rejection(_ provider: String, _ word: String) -> ResponseOutcome? {
        let outcome = unambiguous[Key(provider: provider, status: "*", reason: word)]
        return outcome?.outcomeClass == .accepted || word.isEmpty ? nil : outcome
    }

    /// The status under which a word is listed, for senders that do not state it; `nil` if there are several,
    /// or none. A word under any status (`*`) comes from a receipt or a library, which counts as 200. A word
    /// without a status (`-`) comes from a list of dead tokens, which counts as 0.
    public func status(of word: String, by provider: String) -> Int? {
        let listed = outcomes.keys.filter { $0.provider == provider && $0.reason == word }.map(\.status)
        let numbers = listed.compactMap { Int($0) }
        guard numbers.isEmpty else { return numbers.count == 1 ? numbers[0] : nil }
        return listed.contains("*") ? 200 : listed.contains("-") ? 0 : nil
    }

    /// Whether the word only repeats an accepting status. Such a word is no reason, for any provider.
    public static func repeatsAcceptance(_ word: String) -> Bool {
        word.utf8.count <= 32 && acceptances.contains(WordSpellings.fold(word))
    }

    private static let acceptances: Set = [
        "0", "200", "201", "202", "204", "200ok", "201created", "202accepted", "204nocontent", "ok",
        "created", "accepted", "nocontent", "success", "successful", "succeeded", "true", "none", "sent",
        "delivered", "queued", "请求成功", "成功",
    ]
}
