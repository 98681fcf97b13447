// The effect of responses on tokens.

/// One response about one token.
struct ReferenceResponse {
    let token: TokenName
    /// Whether it came from the environment that the phone did not register the token in. Then it says
    /// nothing about the token.
    let isElsewhere: Bool
    let words: TokenWords
    let sentAt: Int64
    let invalidSince: Int64?
}

extension TokenReference {
    /// Judges every token by its responses, in the order in which the pushes were sent.
    mutating func judge(_ responses: [ReferenceResponse], now: Int64) {
        for response in responses where response.isElsewhere && response.words.meaning == .accepted {
            acceptedElsewhere.insert(response.token)
        }
        let byToken = Dictionary(grouping: responses.filter { !$0.isElsewhere }, by: \.token)
        let counted = Set(byToken.filter { isForBreaker($0, $1, now: now) }.keys)
        for name in counted { breakers[place(name), default: ReferenceBreaker()].attempt(at: now) }
        let usual = usualLosses(before: now)
        let rejected = byToken.filter { name, responses in
            responses.contains { $0.words.meaning == .suspicious }
                && responses.contains { isNews($0, to: name, now: now) }
        }.map(\.key)
        let wrong = Set(rejected.filter { isWrongEnvironment($0, rejected: rejected, now: now) })
        for name in byToken.keys.sorted(by: { order[$0, default: 0] < order[$1, default: 0] }) {
            guard let before = tokens[name] else { continue }
            let responses = (byToken[name] ?? []).sorted { $0.sentAt < $1.sentAt }
            let isWrong = wrong.contains(name)
            var after = before
            for response in responses { judge(&after, response, isWrong, isHeldBack: false, now: now) }
            let retires = before.state != .retired && after.state == .retired
            let isLost = retires || [.active, .stale].contains(before.state) && after.state == .suspect
            if breakers[place(name)]?.isOpen == true {
                if retires {
                    after = before
                    for response in responses { judge(&after, response, isWrong, isHeldBack: true, now: now) }
                }
            } else if isLost, counted.contains(name) {
                breakers[place(name)]?.lose(history.settings, usual: usual, at: now)
            }
            // A change that is reverted within one post is in the ledger, but does not change the token.
            if after.state == before.state { after.changedAt = before.changedAt }
            tokens[name] = after
        }
    }

    /// A breaker counts tokens that were accepted before or that a server registered, as in all histories,
    /// and pushes of the last 24 hours.
    private func isForBreaker(_ name: TokenName, _ responses: [ReferenceResponse], now: Int64) -> Bool {
        (tokens[name]?.acceptedAt != nil || tokens[name]?.registeredAt != nil)
            && responses.contains { $0.sentAt > now - Self.day }
    }

    /// The share of the app's pushes that were rejected because of the token, in the 30 days
    /// before the last 24 hours, by quarter hours.
    private func usualLosses(before now: Int64) -> Double {
        let quarter = 15 * Self.minute
        let end = (now - Self.day) / quarter
        let quarters = (end - 30 * Self.day / quarter)..<end
        let outcomes = said.compactMap { number, push in
            quarters.contains(history.pushes[number].sentAt / quarter) ? push.outcome : nil
        }
        guard !outcomes.isEmpty else { return 0 }
        let lost = outcomes.filter { ["token_dead", "token_suspect"].contains($0) }.count
        return Double(lost) / Double(outcomes.count)
    }

    /// Whether a response alone would change anything.
    private func isNews(_ response: ReferenceResponse, to name: TokenName, now: Int64) -> Bool {
        guard let token = tokens[name] else { return false }
        var after = token
        judge(&after, response, false, isHeldBack: false, now: now)
        return after.ledger.count != token.ledger.count || after.acceptedAt != token.acceptedAt
            || after.rejections.min() != token.rejections.min()
            || after.rejections.max() != token.rejections.max()
            || after.diedAt != token.diedAt || after.ignored != token.ignored
    }

    func place(_ name: TokenName) -> ReferenceBreaker.Place {
        ReferenceBreaker.Place(environment: name.environment, topic: tokens[name]?.topic ?? "")
    }
}

// MARK: - One token, one response

extension TokenReference {
    private func judge(
        _ token: inout ReferenceToken, _ response: ReferenceResponse, _ isWrong: Bool, isHeldBack: Bool,
        now: Int64
    ) {
        switch response.words.meaning {
        case .nothing: break
        case .accepted: accept(&token, response, now: now)
        case .suspicious: suspect(&token, response, isWrong, isHeldBack: isHeldBack, now: now)
        case .dead: bury(&token, response, isHeldBack: isHeldBack, now: now)
        }
    }

    private func evidence(
        _ response: ReferenceResponse, _ token: ReferenceToken, verdict: String? = nil
    ) -> (inout ReferenceToken.Entry) -> Void {
        { entry in
            entry.sentAt = response.sentAt
            entry.invalidSince = response.invalidSince
            entry.registeredAt = token.registeredAt
            entry.environmentVerdict = verdict
        }
    }

    private func accept(_ token: inout ReferenceToken, _ response: ReferenceResponse, now: Int64) {
        let isLater = token.rejections.allSatisfy { $0 < response.sentAt }
        let evidence = evidence(response, token)
        // It was retired because no push to it was ever accepted; no provider reported it dead.
        let wasDoubted = ["bad_token", "confirmed"].contains(token.cause) && token.diedAt == nil
        if token.state == .suspect, isLater {
            token.turn(to: .active, by: "accepted", at: now, evidence)
        } else if token.state == .retired, wasDoubted {
            token.turn(to: isLater ? .active : .suspect, by: "accepted", at: now, evidence)
        }
        if isDue(response.sentAt, after: token.acceptedAt, response, now: now) {
            token.acceptedAt = response.sentAt
        }
        if token.state == .active { token.diedAt = nil }
        if let first = token.ignored.min(), response.sentAt >= first { token.ignored = [] }
        token.rejections = token.rejections.filter { $0 >= response.sentAt }
    }

    private func suspect(
        _ token: inout ReferenceToken, _ response: ReferenceResponse, _ isWrong: Bool, isHeldBack: Bool,
        now: Int64
    ) {
        if let acceptedAt = token.acceptedAt, response.sentAt <= acceptedAt { return }
        if let registeredAt = token.registeredAt, response.sentAt < registeredAt { return }
        let evidence = evidence(response, token, verdict: isWrong ? "wrong_environment" : "undecided")
        let rejections = token.rejections.union([response.sentAt])
        let span = (rejections.max() ?? 0) - (rejections.min() ?? 0)
        switch token.state {
        case .active, .stale: token.turn(to: .suspect, by: "bad_token", at: now, evidence)
        case .suspect where token.acceptedAt == nil && !isWrong && span >= Self.hour:
            retire(&token, by: "bad_token", isHeldBack: isHeldBack, now: now, evidence)
        case .suspect, .retired: break
        }
        token.rejections = rejections
    }

    private func bury(
        _ token: inout ReferenceToken, _ response: ReferenceResponse, isHeldBack: Bool, now: Int64
    ) {
        let diedAt = response.invalidSince ?? response.sentAt
        let isOutdated = token.registeredAt.map { min(diedAt, response.sentAt) < $0 } ?? false
        if token.state != .retired {
            let evidence = evidence(response, token)
            if isOutdated, isRepeated(response, token), [.active, .stale].contains(token.state) {
                token.turn(to: .suspect, by: "late_410_repeated", at: now, evidence)
            } else if isOutdated {
                var entry = ReferenceToken.Entry(
                    at: now, rule: "late_410_ignored", from: token.state, to: token.state)
                evidence(&entry)
                token.write(entry)
            } else {
                retire(&token, by: "unregistered", isHeldBack: isHeldBack, now: now, evidence)
            }
        }
        guard !isOutdated else {
            if token.state != .retired, contradictsRegistration(response, token) {
                token.ignored.append(response.sentAt)
            }
            return
        }
        if isDue(diedAt, after: token.diedAt, response, now: now) { token.diedAt = diedAt }
        // Only an acceptance of a later push frees it.
        if token.isHeld { token.rejections.insert(response.sentAt) }
    }

    /// Whether the push was sent after the registration that the death is older than, and after every
    /// acceptance.
    private func contradictsRegistration(_ response: ReferenceResponse, _ token: ReferenceToken) -> Bool {
        guard let registeredAt = token.registeredAt, response.sentAt >= registeredAt else { return false }
        return token.acceptedAt.map { response.sentAt > $0 } ?? true
    }

    /// Whether it is at least the fifth such push, at least seven days after the first.
    private func isRepeated(_ response: ReferenceResponse, _ token: ReferenceToken) -> Bool {
        let sentAt = token.ignored + [response.sentAt]
        return contradictsRegistration(response, token) && sentAt.count >= 5
            && response.sentAt - (sentAt.min() ?? 0) >= 7 * Self.day
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

    /// Whether to record the instant: at most once a day, and only forward. If the response was posted more
    /// than an hour after the push, any later instant is recorded.
    private func isDue(_ instant: Int64, after last: Int64?, _ response: ReferenceResponse, now: Int64)
        -> Bool
    {
        guard let last else { return true }
        return now - response.sentAt > Self.hour ? instant > last : instant - last >= Self.day
    }
}
