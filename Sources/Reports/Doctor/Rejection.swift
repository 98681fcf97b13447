internal import DeliveryModel
internal import Documents
internal import Instants

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
        Finding(
            id, course == .isOver ? .warning : .problem, sentence(examination.looked), meaning: meaning,
            remedy: remedy,
            command: examination.command(
                "rejections",
                options: ["--by", "app_version,topic"] + address.options + (build?.options ?? [])),
            evidence: address.json + (build?.json ?? [])
                + [
                    .init("class", .string(rejection.rawValue)), .init("answer", .optional(response?.spoken)),
                ] + hours.evidence(course, within: examination.looked)
                + [.init("rejected", rejected.json), .init("others", others.json)])
    }

    private var id: Finding.ID {
        switch rejection {
        case .authError: .credentials
        case .wrongTopic: .wrongTopic
        default: .wrongEnvironment
        }
    }

    private func sentence(_ looked: Range<Instant>) -> String {
        let target = build.map { "to build \($0.name)" } ?? "to all builds"
        let words = response.map { ", mostly \($0.spoken)" } ?? ""
        let elsewhere = others.value.map { _ in "; of all other pushes, \(others.percentWords) were" } ?? ""
        return
            "\(rejected.ofWords) pushes \(target) (\(rejected.percentWords)) were rejected \(cause) (\(address.name)) "
            + "\(hours.words(within: looked))\(words)\(elsewhere). \(course.sentence(hours.after, "were rejected"))"
    }

    private var cause: String {
        switch rejection {
        case .authError: "for their credentials"
        case .wrongTopic: "for their topic"
        case .wrongEnvironment: "for their environment"
        default: "as bad tokens"
        }
    }

    private var meaning: String {
        switch rejection {
        case .authError:
            "The provider does not accept the key, certificate or provider token that these pushes are signed with."
        case .wrongTopic:
            "These tokens belong to an app with a bundle id other than the one in the pushes, or the key may not send to it."
        case .wrongEnvironment: "The credentials belong to the other environment."
        default:
            "Only the tokens of one build are rejected as bad, as happens to a build that was signed for "
                + "development, because it gets sandbox tokens."
        }
    }

    private var remedy: String {
        switch rejection {
        case .authError:
            "Renew the credentials on the sender that posts these responses; a provider token must be "
                + "renewed at least every hour. No token is changed meanwhile."
        case .wrongTopic:
            "Let the app register its tokens with its own bundle id as the topic, and send to that topic."
        case .wrongEnvironment:
            "Use the key of this environment, or send to the host of the other one."
        default:
            "Let this build register its tokens with environment sandbox, and send to them through the sandbox host."
        }
    }
}

extension RejectedResponse {
    /// `403 ExpiredProviderToken`: the provider is named elsewhere in a sentence.
    var spoken: String {
        [String(status), reason].compactMap(\.self).joined(separator: " ")
    }
}
