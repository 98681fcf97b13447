// POST /v1/events: device events and providers' responses.

/// The facts known about a push.
struct ReferencePush {
    /// Classes of responses and kinds of device events: each counts once.
    var words: Set<String> = []
    /// The group in the first response; `nil` before it, when the token is unknown.
    var group: PushGroup?
    /// The phone that held the token when a response was recorded; of several responses, the first one at which a phone held it.
    var holder: Int?

    /// The class that counts.
    var outcome: String? { TokenWords.finality.first { words.contains($0) } }
}

/// Pushes that are rejected in the same way if the environment is wrong.
struct PushGroup: Hashable {
    let provider: String
    let environment: String
    let topic: String
    let appVersion: String
}

extension TokenReference {
    mutating func post(_ items: [TokenItem], now: Int64) -> String {
        discover(items, now: now)
        let verdicts = items.map { note($0) }
        hear(zip(items, verdicts).filter(\.1).map(\.0), now: now)
        judge(zip(items, verdicts).filter(\.1).compactMap { response($0.0) }, now: now)
        return verdicts.map { $0 ? "accepted" : "duplicate" }.joined(separator: ", ")
    }

    /// A token that was unknown becomes known when a response names it. An erased person's token remains erased.
    private mutating func discover(_ items: [TokenItem], now: Int64) {
        var topics: [TokenName: String] = [:]
        var sentAt: [TokenName: Int64] = [:]
        for case .response(let push, _, _, let saysTopic) in items {
            let name = history.pushes[push].token
            sentAt[name] = min(sentAt[name] ?? .max, history.pushes[push].sentAt)
            topics[name] = saysTopic ? history.values[name.value].topic : topics[name] ?? ""
        }
        for (name, topic) in topics where tokens[name] == nil {
            let isErased = tokens.contains { $0.key.value == name.value && $0.value.cause == "erased" }
            var token = ReferenceToken(
                state: isErased ? .retired : .active, cause: isErased ? "erased" : nil, topic: topic,
                lifeAt: now, now: now)
            token.write(
                .init(at: now, rule: "discovered", from: nil, to: token.state, sentAt: sentAt[name]))
            token.hasValue = !isErased
            tokens[name] = token
        }
    }

    /// Whether the item adds something new to its notification.
    private mutating func note(_ item: TokenItem) -> Bool {
        switch item {
        case .response(let number, let words, _, let saysTopic):
            var push = said[number] ?? ReferencePush()
            defer { said[number] = push }
            if push.group == nil {
                let name = history.pushes[number].token
                let value = history.values[name.value]
                push.group = PushGroup(
                    provider: value.provider, environment: name.environment,
                    topic: saysTopic ? value.topic : "", appVersion: appVersion(of: name))
            }
            let isNew = push.words.insert(words.outcome).inserted
            if isNew { push.holder = push.holder ?? tokens[history.pushes[number].token]?.owner }
            return isNew
        case .sighting(let number, let kind, _, _):
            return said[number, default: ReferencePush()].words.insert(kind).inserted
        }
    }

    func appVersion(of name: TokenName) -> String {
        tokens[name]?.owner.flatMap { phones[$0]?.appVersion } ?? ""
    }

    /// Records device events as signs of life, before responses are judged: at most once a day for each phone, or for the token
    /// if another phone, or none, reports it.
    private mutating func hear(_ items: [TokenItem], now: Int64) {
        var heardPhones: [Int: Int64] = [:]
        var heardTokens: [TokenName: Int64] = [:]
        var latest: Int64?
        for case .sighting(let number, _, let occurredAt, let phone) in items {
            let at = min(occurredAt ?? now, now)
            if let phone { heardPhones[phone] = max(heardPhones[phone] ?? at, at) }
            // If the token's phone reports, the token's sign of life is the phone's.
            let speaksForToken = phone != nil && phone == said[number]?.holder
            if said[number]?.group != nil, !speaksForToken {
                let name = history.pushes[number].token
                heardTokens[name] = max(heardTokens[name] ?? at, at)
            }
            latest = max(latest ?? at, at)
        }
        guard let heardAt = latest else { return }
        ears.hear(.writer, at: heardAt)
        for (phone, at) in heardPhones {
            guard let known = phones[phone], known.erasedAt == nil, at - known.lifeAt >= Self.day else {
                continue
            }
            phones[phone]?.lifeAt = at
            wake(names(of: phone), now: now)
        }
        for (name, at) in heardTokens {
            guard let known = tokens[name], at - known.lifeAt >= Self.day else { continue }
            tokens[name]?.lifeAt = at
            wake([name], now: now)
        }
    }

    private func response(_ item: TokenItem) -> ReferenceResponse? {
        guard case .response(let number, let words, let diedAt, _) = item else { return nil }
        let push = history.pushes[number]
        return ReferenceResponse(token: push.token, words: words, sentAt: push.sentAt, invalidSince: diedAt)
    }
}
