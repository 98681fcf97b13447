internal import DeliveryModel

extension Metric {
    static let rejections: [Metric] =
        [
            Metric(
                "rejected", .rejections, formula: "attempted − accepted = the sum of the classes below",
                "The provider returned anything other than 2xx. Of several responses, the most final one "
                    + "counts, and an acceptance takes precedence over all of them.",
                caveats: ["A 410 is a token signal, never an uninstall: Apple delays and randomizes it."],
                elsewhere: [
                    .init("OneSignal", "Failed, errored"), .init("Braze", "Bounces"),
                    .init("Countly", "Failed"),
                ])
        ] + RejectionClass.allCases.map(rejection)
        + [
            Metric(
                Measure.conflicting.rawValue, .rejections, formula: "rejected under more than one class",
                "Different responses to one notification; counted once in rejected, under the more final "
                    + "class."),
            Metric(
                "share", .rejections, .share, formula: "rejected with a response / attempted",
                "The share of the pushes attempted under the same key (the same topic, environment and app "
                    + "version, unless broken down otherwise) that were rejected with this status and reason.",
                caveats: [
                    "Of several responses to one push, only the most final one counts, and none if one of "
                        + "them was an acceptance."
                ],
                elsewhere: [.init("Braze", "Bounces, of the sends")], rise: .bad),
        ]

    private static func rejection(_ rejectionClass: RejectionClass) -> Metric {
        func metric(_ meaning: String, _ examples: String) -> Metric {
            Metric(Measure.rejected(rejectionClass).rawValue, .rejections, formula: examples, meaning)
        }
        return switch rejectionClass {
        case .tokenDead:
            metric(
                "The token is dead, unless the app has registered it again since.",
                "such as 410 Unregistered, UNREGISTERED")
        case .tokenSuspect:
            metric(
                "The token is malformed, or belongs to the other environment: no reason to delete it immediately.",
                "such as 400 BadDeviceToken")
        case .wrongTopic:
            metric(
                "The sender's topic does not match the token: a mistake of the sender.",
                "such as 400 DeviceTokenNotForTopic")
        case .wrongEnvironment:
            metric(
                "The sender's certificate or key belongs to the other environment.",
                "such as 403 BadCertificateEnvironment")
        case .payloadError:
            metric("The payload is too large or malformed.", "such as 413 PayloadTooLarge")
        case .requestError:
            metric("The request is wrong: a header, the path or a value.", "such as 400 BadPriority")
        case .authError:
            metric(
                "The provider does not accept the sender's certificate or key.",
                "such as 403 InvalidProviderToken")
        case .throttled:
            metric("Too many pushes at once, to one device or to all.", "such as 429 TooManyRequests")
        case .providerError:
            metric(
                "The provider had a problem; the same push may work later.",
                "such as 500, 503, a connection that broke")
        case .unknown:
            metric("No rule covers the response. It changes no token.", "a status and reason on no list")
        }
    }
}
