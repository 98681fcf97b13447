internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// More 410 in all versions at once, but people click as usual: the provider purged old tokens; no one left.
enum ProviderPurge: SingleDiagnosis {
    static let subject = "dead tokens"

    struct Fact: Hashable {
        let build: AppBuild
        /// Rejected because the token is dead, of attempted; recently and in the week before.
        let dead: Proportion
        let deadBefore: Proportion
        /// Clicked, of confirmed.
        let clicked: Proportion
        let clickedBefore: Proportion
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let rows = try connection.query(
            .Doctor.deadTokens,
            [
                .value(examination.app.appID), .value(examination.weekBefore.lowerBound),
                .value(examination.settled.lowerBound), .value(examination.settled.upperBound),
            ])
        return try rows.map { row in
            Fact(
                build: try row.decode(),
                dead: Proportion(try row.get("dead"), of: try row.get("attempted")),
                deadBefore: Proportion(try row.get("dead_before"), of: try row.get("attempted_before")),
                clicked: Proportion(try row.get("clicked"), of: try row.get("confirmed")),
                clickedBefore: Proportion(
                    try row.get("clicked_before"), of: try row.get("confirmed_before")))
        }
    }

    private static func judged(_ facts: [Fact], _ rules: DoctorRules) -> [Fact] {
        facts.filter {
            !$0.build.version.isEmpty && $0.dead.denominator >= rules.purgeAttempts
                && $0.deadBefore.denominator >= rules.purgeAttempts
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .nothing }
        let judged = Self.judged(facts, examination.rules)
        let dead = facts.map(\.dead).sum
        let words = "\(dead.percentWords) of \(Words.count(dead.denominator, "push", "pushes"))"
        return judged.count >= examination.rules.purgedVersions ? .judged(words) : .tooLittle(words)
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let judged = Self.judged(facts, rules)
        let (dead, before) = (judged.map(\.dead).sum, judged.map(\.deadBefore).sum)
        let (clicked, clickedBefore) = (judged.map(\.clicked).sum, judged.map(\.clickedBefore).sum)
        guard judged.count >= rules.purgedVersions, hasStepped(dead, before, rules),
            judged.allSatisfy({ isHigher($0.dead, $0.deadBefore, by: rules.purgeRatioOfVersion) }),
            clicked.denominator > 0, clickedBefore.denominator > 0,
            isFlat(clicked, clickedBefore, rules)
        else { return nil }
        let builds = Words.list(judged.map(\.build.name))
        return Finding(
            .providerPurge, .warning,
            "\(dead.ofWords) pushes (\(dead.percentWords)) were rejected because the token is dead, "
                + "compared with \(before.percentWords) in the week before, in all versions alike "
                + "(\(builds)); clicks are flat at \(clicked.percentWithInterval) of confirmed "
                + "notifications, compared with \(clickedBefore.percentWithInterval) before.",
            "A purge by the provider, not uninstalls: the provider returns 410 at a time of its "
                + "choosing, sometimes months after the app was deleted, for many tokens at once.",
            "Do not interpret this as people leaving. The tokens retire as they should; apps that "
                + "are still installed register again when they are opened.",
            command: examination.commandWithoutWindow("tokens", "waterfall"),
            evidence: [
                .init("token_dead", dead.json), .init("token_dead_before", before.json),
                .init("click_through", clicked.json), .init("click_through_before", clickedBefore.json),
                .init("versions", judged) {
                    .object(
                        $0.build.json + [
                            .init("token_dead", $0.dead.json), .init("token_dead_before", $0.deadBefore.json),
                        ])
                },
            ])
    }

    private static func hasStepped(_ now: Proportion, _ before: Proportion, _ rules: DoctorRules) -> Bool {
        guard let share = now.value, let shareBefore = before.value else { return false }
        return share >= shareBefore + rules.purgeStep && isHigher(now, before, by: rules.purgeRatio)
            && now.standardErrors(above: before) >= rules.sureness
    }

    /// Whether the share is not certainly another one, or the difference does not matter.
    private static func isFlat(_ now: Proportion, _ before: Proportion, _ rules: DoctorRules) -> Bool {
        guard let share = now.value, let shareBefore = before.value else { return false }
        return abs(now.standardErrors(above: before)) < rules.flatness
            || abs(share - shareBefore) < shareBefore * rules.flatPart
    }

    private static func isHigher(_ now: Proportion, _ before: Proportion, by ratio: Double) -> Bool {
        (now.value ?? 0) > (before.value ?? 0) * ratio
    }
}
