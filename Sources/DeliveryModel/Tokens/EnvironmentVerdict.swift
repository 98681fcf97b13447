/// What is behind a refusal such as BadDeviceToken, which says "malformed, or of the other environment" and no more.
public enum EnvironmentVerdict: String, CaseIterable, Codable, Sendable {
    /// The token is good, but not where it was sent to.
    case wrongEnvironment = "wrong_environment"
    /// The value itself is bad: others like it are accepted.
    case malformed
    /// It was accepted here before, and others like it still are.
    case dead
    /// Nothing says which.
    case undecided

    /// What to do about it, as a sentence for people.
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

    /// Decides. Every input is about the same app, provider and topic.
    public init(_ evidence: EnvironmentEvidence) {
        self =
            switch evidence {
            case _ where evidence.isKnownElsewhere: .wrongEnvironment
            case _ where evidence.isRefusedByMost: .wrongEnvironment
            case _ where !evidence.isAcceptedByMost: .undecided
            case _ where evidence.acceptedAt != nil: .dead
            default: .malformed
            }
    }
}

/// What the verdict on a suspicious refusal looks at.
public struct EnvironmentEvidence: Hashable, Codable, Sendable {
    /// The environment that knows the same value, if one does: registered there, or accepted there.
    public var otherEnvironment: String?
    public var otherRegisteredAt: Instant?
    public var otherAcceptedAt: Instant?
    /// Send time of the last accepted push in the environment that refuses now.
    public var acceptedAt: Instant?
    /// The app version of the installation; empty when unknown.
    public var appVersion: String
    /// Pushes to tokens of this app version, environment and topic within ``window``.
    public var attemptedCount: Int64
    /// Those of them that were refused in the same way.
    public var refusedCount: Int64
    /// Other tokens of this app version, environment and topic that are refused now; counted up to ``countedPeers``.
    public var refusedPeerCount: Int64

    /// What "right now" means.
    public static let window = Span.hours(24)
    /// More than so many refused tokens prove no more.
    public static let countedPeers: Int64 = 20
    /// Fewer refused tokens than this, beside the one in question, are no pattern.
    static let leastPeers: Int64 = 2
    /// Fewer pushes than this say nothing about a share.
    static let leastPushes: Int64 = 20
    /// From this share on, it is the environment; up to the other, the value.
    static let mostShare = 0.5
    static let fewShare = 0.1

    public init(
        otherEnvironment: String? = nil, otherRegisteredAt: Instant? = nil, otherAcceptedAt: Instant? = nil,
        acceptedAt: Instant? = nil, appVersion: String = "", attemptedCount: Int64 = 0,
        refusedCount: Int64 = 0, refusedPeerCount: Int64 = 0
    ) {
        self.otherEnvironment = otherEnvironment
        self.otherRegisteredAt = otherRegisteredAt
        self.otherAcceptedAt = otherAcceptedAt
        self.acceptedAt = acceptedAt
        self.appVersion = appVersion
        self.attemptedCount = attemptedCount
        self.refusedCount = refusedCount
        self.refusedPeerCount = refusedPeerCount
    }

    enum CodingKeys: String, CodingKey {
        case otherEnvironment = "other_environment"
        case otherRegisteredAt = "other_registered_at"
        case otherAcceptedAt = "other_accepted_at"
        case acceptedAt = "accepted_at"
        case appVersion = "app_version"
        case attemptedCount = "attempted_count"
        case refusedCount = "refused_count"
        case refusedPeerCount = "refused_peer_count"
    }

    /// The same value is registered in, or was accepted by, another environment.
    public var isKnownElsewhere: Bool { otherRegisteredAt != nil || otherAcceptedAt != nil }

    /// Share of the pushes to tokens like it that are refused in the same way, 0 to 1; nil without any.
    public var refusedShare: Double? {
        attemptedCount > 0 ? Double(refusedCount) / Double(attemptedCount) : nil
    }

    /// So many tokens like it are refused that the value cannot be the reason. Tokens of unknown versions are not alike.
    var isRefusedByMost: Bool {
        !appVersion.isEmpty && refusedPeerCount >= Self.leastPeers && (refusedShare ?? 0) >= Self.mostShare
    }

    /// Tokens like it are accepted, so the environment cannot be the reason.
    var isAcceptedByMost: Bool {
        attemptedCount >= Self.leastPushes && (refusedShare ?? 1) <= Self.fewShare
    }
}
