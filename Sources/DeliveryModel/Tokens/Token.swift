/// Whether a device token can be used for a push.
public enum TokenState: String, CaseIterable, Decodable, Sendable {
    case active
    /// Do not rely on it, but do not delete it.
    case suspect
    case stale
    /// Do not send.
    case retired
}

/// The reason a token's state changed, or deliberately did not change. The list is closed: these are
/// Landfall's own decisions.
public enum TokenRule: String, CaseIterable, Decodable, Sendable {
    /// A new value for an installation, kind, environment and topic.
    case registered
    /// A response named a token that no app has registered.
    case discovered
    /// Another value took its slot.
    case rotated
    /// A value of another kind of the same provider took its slot: the app has moved from FCM's registration
    /// tokens to installation ids. Also the rule by which that value becomes active.
    case providerMigration = "provider_migration"
    /// A suspect, stale or retired token was registered again.
    case revived
    /// Another installation registered the value.
    case transferred
    /// It was known only from responses, and an app registered the value under another address: the
    /// registered token replaces it.
    case merged
    /// A 410 or the like: the provider says that the token is dead.
    case unregistered
    /// The provider confirmed the death before the app registered the token again.
    case late410Ignored = "late_410_ignored"
    /// … but repeats the death for every push, and accepts none.
    case late410Repeated = "late_410_repeated"
    /// 400 BadDeviceToken and the like: malformed, or of the other environment.
    case badToken = "bad_token"
    /// A suspect token was accepted.
    case accepted
    case loggedOut = "logged_out"
    /// No sign of life for too long.
    case stale
    /// Its installation says at every registration that it has no token.
    case unlisted
    /// A sign of life from a stale token's installation.
    case signOfLife = "sign_of_life"
    /// Stale for too long; the value is erased.
    case swept
    /// A response would have retired it, along with too many others at once.
    case breaker
    /// An operator decided that the responses held back by the breaker were wrong.
    case released
    /// An operator decided that the responses held back by the breaker were right.
    case confirmed
    /// An operator undid the action of a rule.
    case restored
    /// It has expired, by the time that the app stated: a Live Activity ended.
    case expired
    /// Erased on request of the person whose device it was on. Only a new registration revives it.
    case erased
}

/// The data of a token that the rules need.
public struct Token: Hashable, Sendable {
    public var tokenID: Int64
    public var state: TokenState
    /// The rule that led to a state other than active.
    public var cause: TokenRule?
    /// `nil` if only a sender knows it.
    public var installationID: Int64?
    /// `nil` if no app ever registered it.
    public var lastRegisteredAt: Instant?
    /// The send time of the last accepted push, at most a day out of date (see ``TokenRules/writeInterval``).
    public var lastAcceptedAt: Instant?
    /// The send time of the first push since then that was rejected with suspicion.
    public var firstRejectedAt: Instant?
    /// The send time of the last such push.
    public var lastRejectedAt: Instant?
    /// Its time of death, at most a day out of date; `nil` if none was reported since the last registration.
    public var diedAt: Instant?
    /// Whether a server key or import registered it. If not, only a device key did, or a response named it.
    public var isVouched = false
    /// Whether no feed contains it until a push to it was accepted.
    public var isUnproven = false
    /// The send time of the first push since the last acceptance that was sent after the registration and
    /// whose 410 was ignored.
    public var firstIgnoredAt: Instant?
    /// The number of such pushes.
    public var ignoredCount: Int64 = 0
    /// When its installation last registered it although another value had replaced it in its slot.
    public var returnedAt: Instant?

    public init(tokenID: Int64, state: TokenState) {
        (self.tokenID, self.state) = (tokenID, state)
    }
}

/// A provider's response as evidence about the token that the push was sent to.
public struct TokenEvidence: Hashable, Sendable {
    public var outcome: ResponseOutcome
    public var provider: String
    public var status: Int
    public var reason: String?
    /// The send time of the push.
    public var sentAt: Instant
    /// The provider's own time of the token's death, if it gave one.
    public var invalidSince: Instant?
    /// Whether the same value is registered in the other environment, or was accepted by it.
    public var isKnownInOtherEnvironment: Bool
    /// The evidence for judging a suspicious rejection; `nil` for other responses.
    public var environment: EnvironmentEvidence?
    /// Whether it is the sender's final response: it corrects an acceptance of the same push.
    public var isFinal = false

    public init(
        outcome: ResponseOutcome, provider: String, status: Int, reason: String?, sentAt: Instant,
        invalidSince: Instant?, isKnownInOtherEnvironment: Bool = false
    ) {
        (self.outcome, self.provider, self.status, self.reason) = (outcome, provider, status, reason)
        (self.sentAt, self.invalidSince) = (sentAt, invalidSince)
        self.isKnownInOtherEnvironment = isKnownInOtherEnvironment
    }

    /// The time of the token's death, if reported: the provider's, otherwise the send time of the push.
    var diedAt: Instant { invalidSince ?? sentAt }

    /// The cause of a suspicious rejection; `nil` for other responses.
    public func environmentVerdict(on token: Token) -> EnvironmentVerdict? {
        guard outcome.tokenVerdict == .suspect else { return nil }
        guard var environment else { return isKnownInOtherEnvironment ? .wrongEnvironment : .undecided }
        environment.acceptedAt = token.lastAcceptedAt
        return EnvironmentVerdict(environment)
    }
}

public struct TokenChange: Hashable, Sendable {
    public var to: TokenState
    public var rule: TokenRule

    public init(to: TokenState, rule: TokenRule) {
        (self.to, self.rule) = (to, rule)
    }
}
