internal import DeliveryModel
internal import Reports

/// Builds, topics and environments whose pushes are rejected for their credentials, topic or environment: one
/// build signed for development, one topic without a certificate. Also whole addresses where most pushes are
/// rejected for any reason.
enum RejectedBuilds: Diagnosis {
    static let subject = "rejections by build and address"

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        guard !facts.lately.isEmpty else { return .nothing }
        let pushes = Words.count(facts.lately.total(\.attempted), "push", "pushes")
        let groups = Dictionary(grouping: facts.lately) { [$0.address.name, $0.build.name] }
        guard groups.values.contains(where: { $0.total(\.attempted) >= examination.rules.rejectionAttempts })
        else { return .tooLittle(pushes) }
        let builds = Set(facts.lately.map(\.build)).count
        return .judged("\(pushes), \(Words.count(Int64(builds), "build"))")
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

    /// One refusal for the whole address if all of its builds are affected, otherwise one per build.
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

/// Pushes to one build, or to one whole address, that are rejected for one class of reason.
struct Rejection: Hashable {
    let address: RejectedBuilds.Address
    /// `nil` for all builds of the address.
    let build: AppBuild?
    let rejection: RejectionClass
    let hours: BadHours
    /// The share of the app's other pushes in these hours.
    let others: Proportion
    let response: RejectedResponse?
    let course: Course

    var rejected: Proportion { hours.bad }

    init(
        _ address: RejectedBuilds.Address, _ build: AppBuild?, _ rejection: RejectionClass, _ hours: BadHours,
        of facts: RejectedBuilds.Facts, _ examination: Examination
    ) {
        self.address = address
        self.build = build
        self.rejection = rejection
        self.hours = hours
        func isMeant(_ fact: RejectedBuilds.Fact) -> Bool {
            fact.address == address && (build == nil || fact.build == build)
        }
        let pushes = facts.lately.within(hours.hours)
        others = pushes.rejected([rejection]) - hours.bad
        response = facts.response(to: pushes.filter(isMeant), [rejection])
        let before = facts.before.filter(isMeant).rejected([rejection])
        course = hours.course(
            enough: examination.rules.rejectionAttempts, until: examination.recent.upperBound,
            isWell: RejectedBuilds.isWell(hours.after, before, examination.rules))
    }

    /// Credentials and addresses do not repair themselves: while nothing is sent, the problem remains.
    func finding(_ examination: Examination) -> Finding {
        let (words, looked) = (words, examination.looked)
        let target = build.map { "to build \($0.name)" } ?? "to all builds"
        let mostly = response.map { ", mostly \($0.spoken)" } ?? ""
        let elsewhere = others.value.map { _ in "; of all other pushes, \(others.percentWords) were" } ?? ""
        return Finding(
            words.id, course == .isOver ? .warning : .problem,
            "\(rejected.ofWords) pushes \(target) (\(rejected.percentWords)) were rejected \(words.cause) "
                + "(\(address.name)) \(hours.words(within: looked))\(mostly)\(elsewhere). "
                + course.sentence(hours.after, "were rejected"),
            words.meaning, words.remedy,
            command: examination.command(
                "rejections",
                options: ["--by", "app_version,topic"] + address.options + (build?.options ?? [])),
            evidence: address.json + (build?.json ?? [])
                + [
                    .init("class", .string(rejection.rawValue)), .init("answer", .optional(response?.spoken)),
                ] + hours.evidence(course, within: looked)
                + [.init("rejected", rejected.json), .init("others", others.json)])
    }

    private var words: (id: Finding.ID, cause: String, meaning: String, remedy: String) {
        switch rejection {
        case .authError:
            (
                .credentials, "for their credentials",
                "The provider does not accept the key, certificate or provider token that these pushes are signed with.",
                "Renew the credentials on the sender that posts these responses; a provider token must be "
                    + "renewed at least every hour. No token is changed meanwhile."
            )
        case .wrongTopic:
            (
                .wrongTopic, "for their topic",
                "These tokens belong to an app with a bundle id other than the one in the pushes, or the key may not send to it.",
                "Let the app register its tokens with its own bundle id as the topic, and send to that topic."
            )
        case .wrongEnvironment:
            (
                .wrongEnvironment, "for their environment",
                "The credentials belong to the other environment.",
                "Use the key of this environment, or send to the host of the other one."
            )
        default:
            (
                .wrongEnvironment, "as bad tokens",
                "Only the tokens of one build are rejected as bad, as happens to a build that was signed for "
                    + "development, because it gets sandbox tokens.",
                "Let this build register its tokens with environment sandbox, and send to them through the sandbox host."
            )
        }
    }
}

extension RejectedResponse {
    /// `403 ExpiredProviderToken`: the provider is named elsewhere in a sentence.
    var spoken: String {
        [String(status), reason].compactMap(\.self).joined(separator: " ")
    }
}
