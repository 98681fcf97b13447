internal import DeliveryModel

/// A provider's response to a push, from the fields `status`, `reason` and `error` of an item.
///
/// In the order of ``ProviderBody``, the first word listed as a rejection counts, then the first listed as an
/// acceptance. If none is listed, the first word counts, unless the status is 2xx and nothing contradicts it.
struct ProviderError: Equatable {
    /// The HTTP status if the item has one; otherwise the status under which the word is listed.
    var status: Int?
    /// The reason as listed, or else as the provider wrote it; `nil` for an acceptance and without words.
    var reason: String?
    var timestamp: Instant?
    var hasUnreadTimestamp = false

    static let unreadBody = "unread body"
    static let severalResults = "several results"

    /// Reads the fields of these names; the provider's name is in Landfall's spelling, see ``Provider``.
    init(
        _ posted: PostedError?, reason: String?, status: Int?, provider: String, token: String?,
        _ taxonomy: RejectionTaxonomy
    ) {
        // Many senders post the body as the reason. A listed word needs no reading, and most reasons are one.
        let mayBeBody =
            posted == nil && reason.map { !taxonomy.spellings.contains($0, of: provider) } ?? false
        let body = (mayBeBody ? reason.map(PostedError.text) : posted).map { ProviderBody($0, token: token) }
        let isBody = mayBeBody && (body?.isEmpty == true || reason.flatMap(ProviderText.value(in:)) != nil)
        self.status = Self.status(status, body?.status, provider)
        switch body?.timestamp {
        case .some(.some(let instant)): timestamp = instant.instant
        case .some(.none): hasUnreadTimestamp = true
        case .none: break
        }
        let choice = WordChoice(
            body: body, reason: isBody ? nil : reason, provider: provider, status: self.status,
            taxonomy: taxonomy)
        if self.status == nil, let word = choice.reason {
            self.status = taxonomy.status(of: word, by: provider)
        }
        self.reason = choice.reason.map {
            taxonomy.spellings.contains($0, of: provider) ? $0 : RecordedWords.of($0, token: token)
        }
    }

    /// If the posted status is 2xx or missing, and the error contains a failing one, the error's counts.
    private static func status(_ posted: Int?, _ found: Int?, _ provider: String) -> Int? {
        guard let found, (100...599).contains(found) else { return posted }
        guard let posted else { return found }
        if (200...299).contains(posted), (400...599).contains(found) { return found }
        return posted == 0 && !Provider.hasCodes(provider) ? found : posted
    }
}

private struct WordChoice {
    let body: ProviderBody?
    let provider: String
    let status: Int?
    let taxonomy: RejectionTaxonomy
    private(set) var reason: String?

    init(
        body: ProviderBody?, reason posted: String?, provider: String, status: Int?,
        taxonomy: RejectionTaxonomy
    ) {
        (self.body, self.provider, self.status, self.taxonomy) = (body, provider, status, taxonomy)
        reason = choose(posted)
    }

    private var isAccepted: Bool { status.map { (200...299).contains($0) } ?? false }

    private func choose(_ posted: String?) -> String? {
        let posted = posted.flatMap { ProviderText.isPage($0) ? ProviderText.foreignBody : $0 }
        let words = (body?.words.map(\.text) ?? []) + [posted].compactMap { $0 }
        let texts = (body?.texts ?? []) + [posted].compactMap { $0 }
        let listed = listed(words, texts)
        if let rejection = listed.first(where: { $0.outcome.outcomeClass != .accepted }) {
            // Part of the request failed, but not the push to this token.
            guard body?.sparesToken == true, rejection.outcome.outcomeClass == .rejected(.unknown), isAccepted
            else {
                return rejection.word
            }
            return nil
        }
        if body?.isAmbiguous == true { return ProviderError.severalResults }
        guard isAccepted else { return listed.first?.word ?? words.first }
        return unlistedReason(posted, words, listed)
    }

    /// The reason that contradicts an accepting status; `nil` if none does.
    private func unlistedReason(
        _ posted: String?, _ words: [String], _ listed: [(word: String, outcome: ResponseOutcome)]
    ) -> String? {
        if let posted, !ProviderText.saysAccepted(posted), listed.isEmpty {
            return posted == words.last ? words.first : posted
        }
        guard let body, !body.isEmpty else { return listed.first?.word }
        if body.sparesToken, !body.refuses || body.accepts { return nil }
        if body.refuses { return words.first ?? ProviderError.unreadBody }
        let contradicts = body.words.contains { $0.place.rawValue <= ProviderBody.Place.error.rawValue }
        if let accepted = listed.first, !contradicts { return accepted.word }
        if body.words.isEmpty, let status = body.status, (200...299).contains(status) { return nil }
        if contradicts || !body.accepts { return words.first ?? ProviderError.unreadBody }
        return nil
    }

    /// Whether a word in a sentence fits the status: `Unregistered` in a 403 is about a key, not a token.
    private func isPlausible(_ word: String) -> Bool {
        guard let status, (300...599).contains(status) else { return true }
        return taxonomy.lists(word, of: provider, under: status)
    }

    /// The listed words: first those that are a whole field, then those inside a text.
    private func listed(_ words: [String], _ texts: [String]) -> [(word: String, outcome: ResponseOutcome)] {
        let spellings = taxonomy.spellings
        let found =
            words.compactMap { spellings.listed($0, of: provider, texts: texts) }
            + words.compactMap {
                spellings.listed(inText: $0, of: provider, texts: texts, isPlausible: isPlausible)
            }
        return found.map { word in
            let status = status ?? taxonomy.status(of: word, by: provider) ?? 200
            return (word, taxonomy.outcome(provider: provider, status: status, reason: word))
        }
        .filter { $0.1.isListed }
    }
}
