/// The cause of a rejection such as BadDeviceToken, which says only "malformed, or of the other environment".
public enum EnvironmentVerdict: String, CaseIterable, Codable, Sendable {
    /// The token is good, but not in the environment it was sent to.
    case wrongEnvironment = "wrong_environment"
    /// The value itself is bad: similar tokens are accepted.
    case malformed
    /// It was accepted here before, and similar tokens still are.
    case dead
    case undecided

    /// Advice, as sentences for people.
    public var advice: String {
        switch self {
        case .wrongEnvironment:
            "Send to the other environment: compare the aps-environment of the build, the environment under "
                + "which the app registers, and the host that the sender uses. The token is kept."
        case .malformed:
            "Compare the value with what the device shows: it was truncated, changed or mixed up between the "
                + "app and the sender. The next registration of the app provides a good one."
        case .dead:
            "Nothing to do: it worked before, and no other token is rejected in the same way. It stays "
                + "suspect until it is registered or accepted again, or becomes silent."
        case .undecided:
            "Wait for the next push: too little was sent to similar tokens to tell a bad value from a wrong "
                + "environment."
        }
    }

    /// Decides by the evidence, all of which is about the same app, provider and topic.
    public init(_ evidence: EnvironmentEvidence) {
        self =
            switch evidence {
            case _ where evidence.isKnownElsewhere: .wrongEnvironment
            case _ where evidence.isRejectedByMost: .wrongEnvironment
            case _ where !evidence.isAcceptedByMost: .undecided
            case _ where evidence.acceptedAt != nil: .dead
            default: .malformed
            }
    }
}

/// The evidence for the cause of a suspicious rejection.
public struct EnvironmentEvidence: Hashable, Codable, Sendable {
    /// The environment that knows the same value, if one does: registered there, or accepted there.
    public var otherEnvironment: String?
    public var otherRegisteredAt: Instant?
    public var otherAcceptedAt: Instant?
    /// The send time of the last push that was accepted in the environment that now rejects.
    public var acceptedAt: Instant?
    /// The app version of the installation; empty if unknown.
    public var appVersion = ""
    /// Pushes to tokens of this app version, environment and topic within ``window``.
    public var attemptedCount: Int64 = 0
    /// The pushes among these that were rejected in the same way.
    public var rejectedCount: Int64 = 0
    /// Other tokens of this app version, environment and topic rejected now; counted up to ``countedPeers``.
    public var rejectedPeerCount: Int64 = 0

    /// The period that counts as now.
    public static let window = Span.hours(24)
    /// More rejected tokens than this prove no more.
    public static let countedPeers: Int64 = 20
    /// Fewer rejected tokens than this, besides the one in question, are no pattern.
    static let leastPeers: Int64 = 2
    /// Fewer pushes than this say nothing about a share.
    static let leastPushes: Int64 = 20
    /// At or above this share, the environment is the cause; at or below the next one, the value is.
    static let mostShare = 0.5
    static let fewShare = 0.1

    public init() {}

    enum CodingKeys: String, CodingKey {
        case otherEnvironment = "other_environment"
        case otherRegisteredAt = "other_registered_at"
        case otherAcceptedAt = "other_accepted_at"
        case acceptedAt = "accepted_at"
        case appVersion = "app_version"
        case attemptedCount = "attempted_count"
        case rejectedCount = "rejected_count"
        case rejectedPeerCount = "rejected_peer_count"
    }

    /// Whether the same value is registered in, or was accepted by, another environment.
    public var isKnownElsewhere: Bool { otherRegisteredAt != nil || otherAcceptedAt != nil }

    /// The share of pushes to similar tokens rejected the same way, 0 to 1; `nil` if there are none.
    public var rejectedShare: Double? {
        attemptedCount > 0 ? Double(rejectedCount) / Double(attemptedCount) : nil
    }

    /// Whether so many similar tokens (of one known version) are rejected that the value cannot be the cause.
    var isRejectedByMost: Bool {
        !appVersion.isEmpty && rejectedPeerCount >= Self.leastPeers && (rejectedShare ?? 0) >= Self.mostShare
    }

    /// Whether similar tokens are accepted, so that the environment cannot be the cause.
    var isAcceptedByMost: Bool { attemptedCount >= Self.leastPushes && (rejectedShare ?? 1) <= Self.fewShare }
}
