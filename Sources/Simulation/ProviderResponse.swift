/// A response's verdict on the device token itself.
enum SimulatedVerdict {
    case accepted
    case dead
    case suspect
    case keep
}

/// One of APNs' responses, with its class. Source: Apple, "Handling notification responses from APNs". The
/// spelling `BadEnvironmentKeyInToken` was observed in real responses (APNSwift issue 229).
struct ProviderReason {
    let status: Int64
    let reason: String?
    let rejection: SimulatedRejectionClass?
    let verdict: SimulatedVerdict

    private static func rejected(
        _ status: Int64, _ reason: String?, _ rejection: SimulatedRejectionClass,
        _ verdict: SimulatedVerdict = .keep
    ) -> ProviderReason {
        ProviderReason(status: status, reason: reason, rejection: rejection, verdict: verdict)
    }

    static let accepted = ProviderReason(status: 200, reason: nil, rejection: nil, verdict: .accepted)
    static let badDeviceToken = rejected(400, "BadDeviceToken", .tokenSuspect, .suspect)
    static let deviceTokenNotForTopic = rejected(400, "DeviceTokenNotForTopic", .wrongTopic)
    static let badCollapseID = rejected(400, "BadCollapseId", .requestError)
    static let expiredProviderToken = rejected(403, "ExpiredProviderToken", .authError)
    static let badEnvironmentKey = rejected(403, "BadEnvironmentKeyInToken", .wrongEnvironment)
    static let unregistered = rejected(410, "Unregistered", .tokenDead, .dead)
    static let expiredToken = rejected(410, "ExpiredToken", .tokenDead, .dead)
    static let payloadTooLarge = rejected(413, "PayloadTooLarge", .payloadError)
    static let tooManyRequests = rejected(429, "TooManyRequests", .throttled)
    static let internalServerError = rejected(500, "InternalServerError", .providerError)
    static let serviceUnavailable = rejected(503, "ServiceUnavailable", .providerError)
    static let shutdown = rejected(503, "Shutdown", .providerError)
    static let silence = rejected(0, nil, .unknown)
    static let namedSilence = rejected(0, "NO_RESPONSE", .unknown)
}

/// A response as the sender posts it.
struct PlannedResponse {
    let reason: ProviderReason
    /// The instant at which APNs found the token invalid, Unix milliseconds; only with status 410.
    var rejectedAt: Int64?
    /// The instant at which the response reaches the server, Unix milliseconds.
    var postedAt: Int64
}

/// All of APNs' responses to one notification.
struct PlannedResponses {
    /// Ascending by `postedAt`. A retry under the same id has a second response.
    var responses: [PlannedResponse]
    /// Whether APNs took the notification, regardless of its response.
    var takenByProvider: Bool
    var scenarios: [SimulatedScenario] = []

    /// From the first response until the last instant at which the last one may be repeated.
    var postedBetween: ClosedRange<Int64>? {
        guard let first = responses.first, let last = responses.last else { return nil }
        return first.postedAt...(last.postedAt + Self.longestRepeat)
    }

    /// The time within which a sender's client repeats a request that got no reply.
    static let longestRepeat: Int64 = .seconds(90)
}
