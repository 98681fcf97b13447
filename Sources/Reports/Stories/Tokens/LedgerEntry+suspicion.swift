// The evidence for a rejection that means "malformed, or of the other environment", and for decisions about many tokens.
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
