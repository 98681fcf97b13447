internal import DeliveryModel

/// Pushes to one build, or to one whole address, that are refused for one class of reason.
struct Refusal: Hashable {
    let address: RefusedBuilds.Address
    /// Nil for all builds of the address.
    let build: AppBuild?
    let refusal: RejectionClass
    let refused: Proportion
    /// The same share of the app's other pushes.
    let others: Proportion
    let answer: String?

    func finding(_ examination: Examination) -> Finding {
        Finding(
            id, .problem, sentence, meaning: meaning, remedy: remedy,
            command: examination.command(
                "rejections", options: ["--by", "app_version,topic"] + topicOptions + (build?.options ?? [])),
            evidence: evidence)
    }

    private var id: Finding.ID {
        switch refusal {
        case .authError: .credentials
        case .wrongTopic: .wrongTopic
        default: .wrongEnvironment
        }
    }

    private var topicOptions: [String] { address.topic.isEmpty ? [] : ["--topic", address.topic] }

    private var sentence: String {
        let target = build.map { "to build \($0.name)" } ?? "to all builds"
        let words = answer.map { ", mostly \($0)" } ?? ""
        let elsewhere = others.value.map { _ in "; of all other pushes it is \(others.percentWords)" } ?? ""
        return
            "\(refused.ofWords) pushes \(target) (\(refused.percentWords)) were refused \(cause) (\(place))\(words)"
            + "\(elsewhere)."
    }

    private var place: String {
        let topic = address.topic.isEmpty ? "without a topic" : "topic \(address.topic)"
        return "\(address.provider) \(address.environment), \(topic)"
    }

    private var cause: String {
        switch refusal {
        case .authError: "for their credentials"
        case .wrongTopic: "for their topic"
        case .wrongEnvironment: "for their environment"
        default: "as bad tokens"
        }
    }

    private var meaning: String {
        switch refusal {
        case .authError:
            "The provider does not accept the key, certificate or provider token that these pushes are signed with."
        case .wrongTopic:
            "These tokens belong to an app with another bundle id than the one the pushes name, or the key may not send to it."
        case .wrongEnvironment: "The credentials belong to the other environment."
        default:
            "Tokens of one build alone are bad where they are sent to: so it is for a build that was signed for development, "
                + "which gets sandbox tokens."
        }
    }

    private var remedy: String {
        switch refusal {
        case .authError:
            "Renew what signs the pushes on the sender that posts these answers; a provider token must be made anew at least "
                + "every hour. No token is harmed meanwhile."
        case .wrongTopic:
            "Let the app register its tokens with its own bundle id as the topic, and send to that topic."
        case .wrongEnvironment:
            "Use the key of this environment, or send to the host of the other one."
        default:
            "Let this build register its tokens with environment sandbox, and send to them at the sandbox host."
        }
    }

    private var evidence: [JSONValue.Member] {
        [
            .init("provider", .string(address.provider)), .init("environment", .string(address.environment)),
            .init("topic", .string(address.topic)),
        ] + (build?.json ?? [])
            + [
                .init("class", .string(refusal.rawValue)), .init("answer", .optional(answer)),
                .init("refused", refused.json), .init("others", others.json),
            ]
    }
}
