internal import DeliveryModel
internal import Wording

/// Builds, topics and environments whose pushes are rejected for their credentials, topic or environment: one build signed
/// for development, one topic without a certificate. Also whole addresses where most pushes are rejected for any reason.
enum RejectedBuilds: Diagnosis {
    static let subject = "rejections by build and address"

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard !facts.lately.isEmpty else { return .nothing }
        let pushes = Words.count(facts.lately.reduce(0) { $0 + $1.attempted }, "push", "pushes")
        let groups = Dictionary(grouping: facts.lately) { [$0.address.name, $0.build.name] }
        let judged = groups.values.filter { group in
            group.reduce(0) { $0 + $1.attempted } >= examination.rules.rejectionAttempts
        }
        guard !judged.isEmpty else { return .tooLittle(pushes) }
        let builds = Set(facts.lately.map(\.build)).count
        return .judged("\(pushes), \(Words.count(Int64(builds), "build", "builds"))")
    }

    static func findings(_ facts: Facts, _ examination: Examination) -> [Finding] {
        let rejections = rejections(facts, examination)
        return rejections.map { $0.finding(examination) }
            + RejectedAddresses.findings(facts, besides: rejections, examination)
    }

    private static func rejections(_ facts: Facts, _ examination: Examination) -> [Rejection] {
        let addresses = Dictionary(grouping: facts.lately, by: \.address).sorted { $0.key < $1.key }
        return [RejectionClass.authError, .wrongEnvironment, .wrongTopic, .tokenSuspect].flatMap {
            rejection in
            addresses.flatMap { rejections(rejection, at: $0.key, $0.value, of: facts, examination) }
        }
    }

    /// One refusal for the whole address if all of its builds are affected, otherwise one for each affected build.
    private static func rejections(
        _ rejection: RejectionClass, at address: Address, _ pushes: [Fact], of facts: Facts,
        _ examination: Examination
    ) -> [Rejection] {
        let rules = examination.rules
        let builds = Dictionary(grouping: pushes, by: \.build).sorted { $0.key.name < $1.key.name }
        if builds.count > 1, rejection != .tokenSuspect,
            let hours = badHours(pushes, rejection, rules),
            builds.allSatisfy({ isShared($0.value.within(hours.hours).rejected([rejection]), hours.bad) })
        {
            return [Rejection(address, nil, rejection, hours, of: facts, examination)]
        }
        return builds.compactMap { build, sent in
            badHours(sent, rejection, rules).map {
                Rejection(address, build, rejection, $0, of: facts, examination)
            }
        }.filter { rejection != .tokenSuspect || hasBadTokensAlone($0, rules) }
            .sorted {
                ($1.rejected.denominator, $0.build?.name ?? "")
                    < ($0.rejected.denominator, $1.build?.name ?? "")
            }
    }

    private static func badHours(_ pushes: [Fact], _ rejection: RejectionClass, _ rules: DoctorRules)
        -> BadHours?
    {
        BadHours.latest(
            of: pushes.byHour([rejection]), enough: rules.rejectionAttempts,
            isBad: { $0.value ?? 0 >= rules.rejectionShare }, isSure: { isRejected($0.judged, rules) })
    }

    /// Whether hardly any pushes after bad hours are rejected, or not certainly more than in the week before.
    static func isWell(_ after: Proportion, _ before: Proportion, _ rules: DoctorRules) -> Bool {
        guard let share = after.value, share >= rules.wellShare else { return true }
        guard before.denominator >= rules.rejectionAttempts else { return share < rules.rejectionShare }
        return after.standardErrors(above: before) < rules.sureness
    }

    /// Whether a build shares the problem of the whole address. With fewer than 5 pushes, it is assumed to.
    private static func isShared(_ build: Proportion, _ whole: Proportion) -> Bool {
        guard build.denominator >= 5, let share = build.value, let wholeShare = whole.value else {
            return true
        }
        return share >= wholeShare / 2
    }

    private static func isRejected(_ rejected: Proportion, _ rules: DoctorRules) -> Bool {
        rejected.denominator >= rules.rejectionAttempts && rejected.numerator >= rules.rejections
            && rejected.surelyAtLeast(rules.sureness) >= rules.rejectionShare
    }

    /// Whether the tokens of one build are bad, and hardly any of the others.
    private static func hasBadTokensAlone(_ rejection: Rejection, _ rules: DoctorRules) -> Bool {
        guard let share = rejection.rejected.value, let others = rejection.others.value else { return false }
        return share >= rules.badTokenShare && share >= others * rules.badTokenRatio
            && rejection.rejected.standardErrors(above: rejection.others) >= rules.sureness
    }
}
