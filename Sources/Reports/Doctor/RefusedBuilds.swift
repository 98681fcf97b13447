internal import DeliveryModel

/// Builds, topics and environments whose pushes are refused for their credentials, their topic or their environment: one build
/// signed for development, one topic without a certificate.
enum RefusedBuilds: Diagnosis {
    static let subject = "credentials, topics and environments"

    /// Where pushes went.
    struct Address: Hashable {
        let provider: String
        let environment: String
        let topic: String
    }

    /// Pushes to one build at one address, and how many were refused for one class of reason.
    struct Fact: Hashable {
        let address: Address
        let build: AppBuild
        let refusal: RejectionClass
        let refused: Proportion
        /// The most frequent words of the provider, `403 ExpiredProviderToken`; nil without a refusal.
        var answer: String?
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        let groups = facts.filter { $0.refusal == .authError }
        guard !groups.isEmpty else { return .nothing }
        let pushes = Words.count(
            groups.reduce(0) { $0 + $1.refused.denominator }, "push", "pushes")
        let judged = groups.filter { $0.refused.denominator >= examination.rules.refusedAttempts }
        guard !judged.isEmpty else { return .tooLittle(pushes) }
        return .judged("\(pushes), \(Words.count(Int64(Set(groups.map(\.build)).count), "build", "builds"))")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        [RejectionClass.authError, .wrongEnvironment, .wrongTopic, .tokenSuspect].flatMap { refusal in
            let ofClass = facts.filter { $0.refusal == refusal }
            let all = ofClass.map(\.refused).sum
            return Dictionary(grouping: ofClass, by: \.address)
                .sorted { $0.key.topic < $1.key.topic }
                .flatMap { refusals(at: $0.key, $0.value, of: all, examination) }
                .map { $0.finding(examination) }
        }
    }

    /// One refusal of the whole address when all of its builds are hit, else one for each build that is.
    private static func refusals(
        at address: Address, _ facts: [Fact], of all: Proportion, _ examination: Examination
    ) -> [Refusal] {
        let whole = facts.map(\.refused).sum
        let refusal = { (build: AppBuild?, refused: Proportion, answer: String?) in
            Refusal(
                address: address, build: build, refusal: facts[0].refusal, refused: refused,
                others: all - refused,
                answer: answer)
        }
        if facts.count > 1, facts[0].refusal != .tokenSuspect, isRefused(whole, examination.rules),
            facts.allSatisfy({ isShared($0.refused, whole) })
        {
            return [refusal(nil, whole, facts.first { $0.answer != nil }?.answer)]
        }
        return facts.map { refusal($0.build, $0.refused, $0.answer) }
            .filter { isRefused($0.refused, examination.rules) }
            .filter { $0.refusal != .tokenSuspect || hasBadTokensAlone($0, examination.rules) }
    }

    /// Whether a build has its part in what happens to the whole address; a few pushes say nothing against it.
    private static func isShared(_ build: Proportion, _ whole: Proportion) -> Bool {
        guard build.denominator >= 5, let share = build.value, let wholeShare = whole.value else {
            return true
        }
        return share >= wholeShare / 2
    }

    private static func isRefused(_ refused: Proportion, _ rules: DoctorRules) -> Bool {
        refused.denominator >= rules.refusedAttempts && refused.numerator >= rules.refusals
            && refused.surelyAtLeast(rules.sureness) >= rules.refusedShare
    }

    /// Bad tokens of one build, and hardly any of the others.
    private static func hasBadTokensAlone(_ refusal: Refusal, _ rules: DoctorRules) -> Bool {
        guard let share = refusal.refused.value, let others = refusal.others.value else { return false }
        return share >= rules.badTokenShare && share >= others * rules.badTokenRatio
            && refusal.refused.standardErrors(above: refusal.others) >= rules.sureness
    }
}
