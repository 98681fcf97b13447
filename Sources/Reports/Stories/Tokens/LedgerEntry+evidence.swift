internal import DeliveryModel

extension LedgerEntry {
    /// The evidence of the rule in sentences: the provider's response unchanged, the times that were compared
    /// and their order, and the tokens and installations concerned. Based on what is recorded, so that rules
    /// of later versions are explained too.
    public func evidenceSentences(_ clock: StoryClock, _ names: StoryNames) -> [String] {
        [
            response(clock), death(clock), comparison(clock), otherEnvironment(clock), peers, verdict,
            breaker,
            undone, registration(clock, names), move(names), successor(clock, names), silence(clock), run,
        ].compactMap(\.self)
    }

    /// The response on which the rule was based; `nil` if it was based on something else.
    private func response(_ clock: StoryClock) -> String? {
        guard let provider = evidence.text("provider"), let status = evidence.number("status") else {
            return nil
        }
        let words = responseWords(status: status, reason: evidence.text("reason"))
        let sentAt = evidence.instant("sent_at").map { " for the push sent \(clock.local($0))" } ?? ""
        return "\(providerName(provider)) returned \(words)\(sentAt)."
    }

    private var hasResponse: Bool { evidence.text("provider") != nil }

    private var isAboutDeath: Bool {
        rule == .unregistered || rule == .late410Ignored || evidence.instant("invalid_since") != nil
    }

    private func death(_ clock: StoryClock) -> String? {
        guard isAboutDeath else { return nil }
        guard let invalidSince = evidence.instant("invalid_since").map(clock.local) else {
            return hasResponse ? "It gave no time of death, so the time of sending is used." : nil
        }
        return "\(hasResponse ? "It" : "A provider") found the token dead at \(invalidSince)."
    }

    /// The comparison that decided whether the token is dead.
    private func comparison(_ clock: StoryClock) -> String? {
        guard isAboutDeath, hasResponse,
            let diedAt = evidence.instant("invalid_since") ?? evidence.instant("sent_at")
        else { return nil }
        guard let registeredAt = evidence.instant("registered_at") else {
            return "No app has registered it, so there is no evidence in its favor."
        }
        let registered = clock.local(registeredAt)
        if diedAt < registeredAt {
            return "The app registered it again at \(registered), \((registeredAt - diedAt).words) later."
        }
        let distance =
            diedAt == registeredAt ? "at that very moment" : "\((diedAt - registeredAt).words) before that"
        return "The app had last registered it at \(registered), \(distance)."
    }

    private func registration(_ clock: StoryClock, _ names: StoryNames) -> String? {
        guard !hasResponse, evidence.number("successor_token_id") == nil,
            let registeredAt = evidence.instant("registered_at")
        else { return nil }
        guard let device = evidence.number("to_installation_id").map(names.device) else {
            return "The app last registered it at \(clock.local(registeredAt))."
        }
        // A back-filled registration happened long before it was posted.
        let isLate = at - registeredAt >= .minutes(1)
        let posted = isLate ? ", posted \((at - registeredAt).words) later" : ""
        return "Registered \(clock.local(registeredAt)) by \(device)\(posted)."
    }

    private func move(_ names: StoryNames) -> String? {
        guard let from = evidence.number("from_installation_id"),
            from != evidence.number("to_installation_id")
        else { return nil }
        return "Until then it belonged to \(names.device(from))."
    }

    /// The registration that rotated a token is the one of its successor.
    private func successor(_ clock: StoryClock, _ names: StoryNames) -> String? {
        guard let successor = evidence.number("successor_token_id").map(names.token) else { return nil }
        let registered = evidence.instant("registered_at").map { ", registered \(clock.local($0))" } ?? ""
        return "Token \(successor) took its place\(registered)."
    }

    private func silence(_ clock: StoryClock) -> String? {
        if let since = evidence.instant("silent_since") {
            return "Last heard from at \(clock.local(since)), \((at - since).words) earlier."
        }
        if let since = evidence.instant("stale_since") {
            return "Stale since \(clock.local(since)), for \((at - since).words)."
        }
        return evidence.instant("expired_at").map { "It expired at \(clock.local($0))." }
    }

    private var run: String? { runID.map { "Done in run \($0)." } }
}

// The evidence for a rejection as "malformed, or of the other environment", and for decisions on many tokens.
extension LedgerEntry {
    /// The state of the same value in the other environment.
    func otherEnvironment(_ clock: StoryClock) -> String? {
        guard let other = environment?.text("other_environment") else {
            return evidence.isTrue("known_in_other_environment")
                ? "The same value is registered in, or was accepted by, the other environment: this one is the wrong one."
                : nil
        }
        let signs = [("registered", "other_registered_at"), ("accepted", "other_accepted_at")].compactMap {
            what, name in
            environment?.instant(name).map { "\(what) there at \(clock.local($0))" }
        }
        return "The same value is known in \(other): \(signs.joined(separator: ", "))."
    }

    /// The outcome for similar tokens.
    var peers: String? {
        guard let environment, let attempted = environment.number("attempted_count"), attempted > 0,
            let rejected = environment.number("rejected_count")
        else { return nil }
        let version =
            environment.text("app_version").flatMap { $0.isEmpty ? nil : " of app version \($0)" } ?? ""
        return
            "Of \(attempted) pushes to tokens\(version) in its environment and topic, \(rejected) were rejected in the same way within a day."
    }

    var verdict: String? { evidence.text("environment_verdict").map { "Conclusion: \($0)." } }

    var breaker: String? {
        guard let counts = evidence.object("breaker"), let attempted = counts.number("attempted"),
            let retired = counts.number("retired")
        else { return nil }
        return
            "In the 10 minutes before, responses had retired or made suspect \(retired) of the \(attempted) tokens of its environment and topic that pushes were sent to."
    }

    var undone: String? { evidence.text("undone_rule").map { "This revises what \($0) did." } }

    private var environment: RecordedEvidence? { evidence.object("environment") }
}
