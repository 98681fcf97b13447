internal import DeliveryModel

extension Metric {
    static let rejections: [Metric] =
        [
            Metric(
                "rejected", .rejections, formula: "attempted − accepted = the sum of the classes below",
                "The provider answered anything but 2xx. Of several answers the most final one counts, and acceptance beats them all.",
                caveats: ["410 is a token signal, never an uninstall: Apple delays and randomises it."],
                elsewhere: [
                    .init("OneSignal", "Failed, errored"), .init("Braze", "Bounces"),
                    .init("Countly", "Failed"),
                ])
        ] + RejectionClass.allCases.map(rejection)
        + [
            Metric(
                Measure.conflicting.rawValue, .rejections, formula: "rejected under more than one class",
                "Different answers for one notification; counted in rejected once, under the more final class."
            ),
            Metric(
                "share", .rejections, .share, formula: "rejected with an answer / attempted",
                "Of the pushes that were attempted under the same key (the same topic, environment and app version unless the breakdown is "
                    + "another one), those that were rejected with this status and reason.",
                caveats: [
                    "Of several answers to one push the most final one counts, and none when one of them was an acceptance."
                ],
                elsewhere: [.init("Braze", "Bounces, of the sends")], rise: .bad),
        ]

    private static func rejection(_ rejectionClass: RejectionClass) -> Metric {
        let (meaning, examples) = words(for: rejectionClass)
        return Metric(
            Measure.rejected(rejectionClass).rawValue, .rejections, formula: examples, meaning)
    }

    private static func words(for rejectionClass: RejectionClass) -> (meaning: String, examples: String) {
        switch rejectionClass {
        case .tokenDead:
            (
                "The token is over, unless the app registered it again since.",
                "such as 410 Unregistered, UNREGISTERED"
            )
        case .tokenSuspect:
            (
                "The token is malformed, or of the other environment: no reason to delete it at once.",
                "such as 400 BadDeviceToken"
            )
        case .wrongTopic:
            (
                "The sender's topic does not fit the token: a mistake of the sender.",
                "such as 400 DeviceTokenNotForTopic"
            )
        case .wrongEnvironment:
            (
                "The sender's certificate or key is of the other environment.",
                "such as 403 BadCertificateEnvironment"
            )
        case .payloadError:
            ("The payload cannot be sent: too large, or malformed.", "such as 413 PayloadTooLarge")
        case .requestError:
            ("The request is wrong: a header, a path, a value.", "such as 400 BadPriority")
        case .authError:
            ("The sender's certificate or key is refused.", "such as 403 InvalidProviderToken")
        case .throttled:
            ("Too much at a time, for one device or for all.", "such as 429 TooManyRequests")
        case .providerError:
            (
                "The provider had a problem; the same push may work later.",
                "such as 500, 503, no answer at all"
            )
        case .unknown:
            ("No rule covers the answer. No token is harmed by it.", "a status and reason nobody listed")
        }
    }
}
