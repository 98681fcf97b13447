// POST /v1/events: what devices and providers said.

/// What is known of a push.
struct ReferencePush {
    /// Classes of answers, and what devices reported: each counts once.
    var words: Set<String> = []
    /// As the first answer has it; nil before it, and then nobody knows which token it went to.
    var group: PushGroup?

    /// The class that counts.
    var outcome: String? { TokenWords.finality.first { words.contains($0) } }
}

/// Pushes that are refused alike when the environment is wrong.
struct PushGroup: Hashable {
    let provider: String
    let environment: String
    let topic: String
    let appVersion: String
}

extension TokenReference {
    private struct Answer {
        let token: TokenName
        let words: TokenWords
        let sentAt: Int64
        let invalidSince: Int64?
    }

    mutating func post(_ items: [TokenItem], now: Int64) -> String {
        discover(items, now: now)
        let verdicts = items.map { note($0) }
        hear(zip(items, verdicts).filter(\.1).map(\.0), now: now)
        judge(zip(items, verdicts).filter(\.1).compactMap { answer($0.0) }, now: now)
        return verdicts.map { $0 ? "accepted" : "duplicate" }.joined(separator: ", ")
    }

    /// A token that nobody knew becomes known by being named. A person's that was erased stays so.
    private mutating func discover(_ items: [TokenItem], now: Int64) {
        for case .answer(let push, _, _, let saysTopic) in items {
            let name = history.pushes[push].token
            guard tokens[name] == nil else { continue }
            let isErased = tokens.contains { $0.key.value == name.value && $0.value.cause == "erased" }
            var token = ReferenceToken(
                state: isErased ? .retired : .active, cause: isErased ? "erased" : nil,
                topic: saysTopic ? history.values[name.value].topic : "", lifeAt: now, now: now)
            token.write(.init(at: now, rule: "discovered", from: nil, to: token.state))
            token.hasValue = !isErased
            tokens[name] = token
        }
    }

    /// Whether it says something new about its notification.
    private mutating func note(_ item: TokenItem) -> Bool {
        switch item {
        case .answer(let number, let words, _, let saysTopic):
            var push = said[number] ?? ReferencePush()
            defer { said[number] = push }
            if push.group == nil {
                let name = history.pushes[number].token
                let value = history.values[name.value]
                push.group = PushGroup(
                    provider: value.provider, environment: name.environment,
                    topic: saysTopic ? value.topic : "", appVersion: appVersion(of: name))
            }
            return push.words.insert(words.outcome).inserted
        case .sighting(let number, let kind, _, _):
            return said[number, default: ReferencePush()].words.insert(kind).inserted
        }
    }

    private func appVersion(of name: TokenName) -> String {
        tokens[name]?.owner.flatMap { phones[$0]?.appVersion } ?? ""
    }

    /// Devices come first: what they report is a sign of life, written at most once a day for each phone and token.
    private mutating func hear(_ items: [TokenItem], now: Int64) {
        var heardPhones: [Int: Int64] = [:]
        var heardTokens: [TokenName: Int64] = [:]
        var latest: Int64?
        for case .sighting(let number, _, let occurredAt, let phone) in items {
            let at = min(occurredAt ?? now, now)
            if let phone { heardPhones[phone] = max(heardPhones[phone] ?? at, at) }
            if said[number]?.group != nil {
                let name = history.pushes[number].token
                heardTokens[name] = max(heardTokens[name] ?? at, at)
            }
            latest = max(latest ?? at, at)
        }
        guard let heardAt = latest else { return }
        ears.hear(.writer, at: heardAt)
        for (phone, at) in heardPhones {
            guard let known = phones[phone], known.erasedAt == nil, at - known.lifeAt >= Self.day else { continue }
            phones[phone]?.lifeAt = at
            wake(names(of: phone), now: now)
        }
        for (name, at) in heardTokens {
            guard let known = tokens[name], at - known.lifeAt >= Self.day else { continue }
            tokens[name]?.lifeAt = at
            wake([name], now: now)
        }
    }

    private func answer(_ item: TokenItem) -> Answer? {
        guard case .answer(let number, let words, let diedAt, _) = item else { return nil }
        let push = history.pushes[number]
        return Answer(token: push.token, words: words, sentAt: push.sentAt, invalidSince: diedAt)
    }

    /// Every token by its answers, in the order in which the pushes were sent.
    private mutating func judge(_ answers: [Answer], now: Int64) {
        for answer in answers { breakers[place(answer.token), default: ReferenceBreaker()].attempt(1, at: now) }
        let byToken = Dictionary(grouping: answers, by: \.token)
        let refused = byToken.filter { $0.value.contains { $0.words.meaning == .suspicious } }
        let verdicts = Dictionary(
            uniqueKeysWithValues: refused.keys.map { ($0, isWrongEnvironment($0, refused: Set(refused.keys), now: now)) })
        for name in byToken.keys.sorted(by: { order[$0, default: 0] < order[$1, default: 0] }) {
            guard let before = tokens[name] else { continue }
            let answers = (byToken[name] ?? []).sorted { $0.sentAt < $1.sentAt }
            let isWrong = verdicts[name] ?? false
            var after = before
            for answer in answers { judge(&after, answer, isWrong, isHeldBack: false, now: now) }
            if before.state != .retired, after.state == .retired,
                breakers[place(name)]?.mayRetire(history.settings, at: now) == false
            {
                after = before
                for answer in answers { judge(&after, answer, isWrong, isHeldBack: true, now: now) }
            }
            tokens[name] = after
        }
    }

    func place(_ name: TokenName) -> ReferenceBreaker.Place {
        ReferenceBreaker.Place(environment: name.environment, topic: tokens[name]?.topic ?? "")
    }

    /// The same value is known elsewhere; or at least half of what was pushed to its like within a day was refused in the same
    /// way, and two other tokens at least are suspect or refused now.
    private func isWrongEnvironment(_ name: TokenName, refused: Set<TokenName>, now: Int64) -> Bool {
        let isKnownElsewhere = tokens.contains { other, token in
            other.value == name.value && other.environment != name.environment
                && (token.registeredAt != nil || token.acceptedAt != nil)
        }
        if isKnownElsewhere { return true }
        let group = group(of: name)
        guard !group.appVersion.isEmpty else { return false }
        let others = tokens.filter { other, token in
            other != name && self.group(of: other) == group
                && (refused.contains(other)
                    || token.state == .suspect && token.refusals.contains { $0 >= now - Self.day })
        }
        let quarter = 15 * Self.minute
        let pushes = said.filter { number, push in
            let sentAt = history.pushes[number].sentAt
            return push.group == group && sentAt - sentAt % quarter >= now - Self.day
        }
        let way = TokenWords.all(of: group.provider, .suspicious)[0].outcome
        let alike = pushes.values.count { $0.outcome == way }
        return others.count >= 2 && !pushes.isEmpty && alike * 2 >= pushes.count
    }

    private func group(of name: TokenName) -> PushGroup {
        PushGroup(
            provider: history.values[name.value].provider, environment: name.environment,
            topic: tokens[name]?.topic ?? "", appVersion: appVersion(of: name))
    }
}

// MARK: - One token, one answer

extension TokenReference {
    private func judge(
        _ token: inout ReferenceToken, _ answer: Answer, _ isWrong: Bool, isHeldBack: Bool, now: Int64
    ) {
        switch answer.words.meaning {
        case .nothing: break
        case .accepted: accept(&token, answer, now: now)
        case .suspicious: suspect(&token, answer, isWrong, isHeldBack: isHeldBack, now: now)
        case .dead: bury(&token, answer, isHeldBack: isHeldBack, now: now)
        }
    }

    private func evidence(
        _ answer: Answer, _ token: ReferenceToken, verdict: String? = nil
    ) -> (inout ReferenceToken.Entry) -> Void {
        { entry in
            entry.sentAt = answer.sentAt
            entry.invalidSince = answer.invalidSince
            entry.registeredAt = token.registeredAt
            entry.environmentVerdict = verdict
        }
    }

    private func accept(_ token: inout ReferenceToken, _ answer: Answer, now: Int64) {
        let isLater = token.refusals.allSatisfy { $0 < answer.sentAt }
        let evidence = evidence(answer, token)
        // The ground for retiring it was that none ever was accepted; no provider said that it died.
        let wasDoubted = ["bad_token", "confirmed"].contains(token.cause) && token.diedAt == nil
        if token.state == .suspect, isLater {
            token.turn(to: .active, by: "accepted", at: now, evidence)
        } else if token.state == .retired, wasDoubted {
            token.turn(to: isLater ? .active : .suspect, by: "accepted", at: now, evidence)
        }
        if isDue(answer.sentAt, after: token.acceptedAt, answer, now: now) { token.acceptedAt = answer.sentAt }
        if token.state == .active { token.diedAt = nil }
        token.refusals = token.refusals.filter { $0 > answer.sentAt }
    }

    private func suspect(
        _ token: inout ReferenceToken, _ answer: Answer, _ isWrong: Bool, isHeldBack: Bool, now: Int64
    ) {
        if let acceptedAt = token.acceptedAt, answer.sentAt <= acceptedAt { return }
        if let registeredAt = token.registeredAt, answer.sentAt < registeredAt { return }
        let evidence = evidence(answer, token, verdict: isWrong ? "wrong_environment" : "undecided")
        let refusals = token.refusals.union([answer.sentAt])
        let span = (refusals.max() ?? 0) - (refusals.min() ?? 0)
        switch token.state {
        case .active, .stale: token.turn(to: .suspect, by: "bad_token", at: now, evidence)
        case .suspect where token.acceptedAt == nil && !isWrong && span >= Self.hour:
            retire(&token, by: "bad_token", isHeldBack: isHeldBack, now: now, evidence)
        case .suspect, .retired: break
        }
        token.refusals = refusals
    }

    private func bury(_ token: inout ReferenceToken, _ answer: Answer, isHeldBack: Bool, now: Int64) {
        let diedAt = answer.invalidSince ?? answer.sentAt
        let isOutdated = token.registeredAt.map { min(diedAt, answer.sentAt) < $0 } ?? false
        if token.state != .retired {
            let evidence = evidence(answer, token)
            if isOutdated {
                var entry = ReferenceToken.Entry(
                    at: now, rule: "late_410_ignored", from: token.state, to: token.state)
                evidence(&entry)
                token.write(entry)
            } else {
                retire(&token, by: "unregistered", isHeldBack: isHeldBack, now: now, evidence)
            }
        }
        guard !isOutdated else { return }
        if isDue(diedAt, after: token.diedAt, answer, now: now) { token.diedAt = diedAt }
        // Only an acceptance of a later push frees it.
        if token.isHeld { token.refusals.insert(answer.sentAt) }
    }

    private func retire(
        _ token: inout ReferenceToken, by rule: String, isHeldBack: Bool, now: Int64,
        _ evidence: (inout ReferenceToken.Entry) -> Void
    ) {
        if !isHeldBack {
            token.turn(to: .retired, by: rule, at: now, evidence)
        } else if !token.isHeld {
            token.turn(to: .suspect, by: "breaker", at: now, evidence)
        }
    }

    /// Written at most once a day, and only forward; exactly when the answer was posted more than an hour after the push.
    private func isDue(_ instant: Int64, after last: Int64?, _ answer: Answer, now: Int64) -> Bool {
        guard let last else { return true }
        return now - answer.sentAt > Self.hour ? instant > last : instant - last >= Self.day
    }
}
