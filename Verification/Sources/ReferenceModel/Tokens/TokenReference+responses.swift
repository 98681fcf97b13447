// POST /v1/events: device events and providers' responses.

/// The facts known about a push.
struct ReferencePush {
    /// Classes of responses: each counts once.
    var words: Set<String> = []
    var sightings: Set<ReferencePushSighting> = []
    /// The group in the first response; `nil` before it, when the token is unknown.
    var group: PushGroup?
    /// The phone that held the token when a response was recorded; of several responses, the first one at
    /// which a phone held it.
    var holder: Int?
    /// The token that the first response was about.
    var target: TokenName?

    /// The class that counts.
    var outcome: String? { TokenWords.finality.first { words.contains($0) } }

    /// Whether a registered phone reports it that does not hold the token.
    func isForeign(_ phone: Int?) -> Bool { holder != nil && phone != nil && phone != holder }

    /// The kinds of device events that count, and whether any belongs to another phone.
    var kinds: Set<String> {
        Set(sightings.map { isForeign($0.phone) ? Self.foreign : $0.kind })
    }

    static let foreign = "foreign"
}

struct ReferencePushSighting: Hashable {
    let kind: String
    /// `nil` for a phone that was not registered.
    let phone: Int?
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
        // Device events are judged by what the batch says about the push, wherever in it that is.
        let responses = items.map { noteResponse($0) }
        let verdicts = zip(items, responses).map { item, verdict in verdict ?? noteSighting(item) }
        hear(zip(items, verdicts).filter(\.1).map(\.0), now: now)
        judge(zip(items, verdicts).filter(\.1).compactMap { response($0.0) }, now: now)
        return verdicts.map { $0 ? "accepted" : "duplicate" }.joined(separator: ", ")
    }

    /// A token that was unknown becomes known when a response names it, unless a phone registered the value
    /// in the other environment.
    private mutating func discover(_ items: [TokenItem], now: Int64) {
        var topics: [TokenName: String] = [:]
        var sentAt: [TokenName: Int64] = [:]
        for case .response(let push, _, _, let saysTopic) in items {
            let name = history.pushes[push].token
            sentAt[name] = min(sentAt[name] ?? .max, history.pushes[push].sentAt)
            topics[name] = saysTopic ? history.values[name.value].topic : topics[name] ?? ""
        }
        for (name, topic) in topics where tokens[target(name)] == nil {
            var token = ReferenceToken(state: .active, cause: nil, topic: topic, lifeAt: now, now: now)
            token.write(.init(at: now, rule: "discovered", from: nil, to: .active, sentAt: sentAt[name]))
            tokens[name] = token
        }
    }

    /// Whether the response adds something new to its notification; `nil` for other items.
    private mutating func noteResponse(_ item: TokenItem) -> Bool? {
        guard case .response(let number, let words, _, let saysTopic) = item else { return nil }
        var push = said[number] ?? ReferencePush()
        defer { said[number] = push }
        let name = history.pushes[number].token
        let target = target(name)
        push.target = push.target ?? target
        if push.group == nil {
            let value = history.values[name.value]
            push.group = PushGroup(
                provider: value.provider, environment: name.environment,
                topic: saysTopic ? value.topic : "", appVersion: appVersion(of: target))
        }
        let isNew = push.words.insert(words.outcome).inserted
        if isNew { push.holder = push.holder ?? tokens[target]?.owner }
        return isNew
    }

    /// The same for a device event.
    private mutating func noteSighting(_ item: TokenItem) -> Bool {
        guard case .sighting(let number, let kind, _, let phone) = item else { return false }
        var push = said[number] ?? ReferencePush()
        defer { said[number] = push }
        let known = push.kinds
        push.sightings.insert(ReferencePushSighting(kind: kind, phone: registered(phone)))
        return push.kinds != known
    }

    private func registered(_ phone: Int?) -> Int? { phone.flatMap { phones[$0] == nil ? nil : $0 } }

    func appVersion(of name: TokenName) -> String {
        tokens[name]?.owner.flatMap { phones[$0]?.appVersion } ?? ""
    }

    /// Records device events as signs of life, before responses are judged: at most once a day for each
    /// phone, or for the token if another phone, or none, reports it.
    private mutating func hear(_ items: [TokenItem], now: Int64) {
        var heardPhones: [Int: Int64] = [:]
        var heardTokens: [TokenName: Int64] = [:]
        var latest: Int64?
        for case .sighting(let number, _, let occurredAt, let phone) in items {
            let at = min(occurredAt ?? now, now)
            if let phone { heardPhones[phone] = max(heardPhones[phone] ?? at, at) }
            // If the token's phone reports, the token's sign of life is the phone's.
            let speaksForToken = phone != nil && phone == said[number]?.holder
            let isForeign = said[number]?.isForeign(registered(phone)) == true
            if said[number]?.group != nil, !speaksForToken, !isForeign {
                let name = said[number]?.target ?? history.pushes[number].token
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
        let target = target(push.token)
        return ReferenceResponse(
            token: target, isElsewhere: target.environment != push.token.environment, words: words,
            sentAt: push.sentAt, invalidSince: diedAt)
    }
}
