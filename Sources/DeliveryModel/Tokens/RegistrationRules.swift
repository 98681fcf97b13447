/// The change that a registration made to one token, as named in the response to `PUT /v1/devices/{id}`.
public enum RegistrationChange: String, Sendable {
    case registered
    case refreshed
    case rotated
    case revived
    case transferred
}

extension TokenRules {
    /// The change that an installation makes by registering a value. `token` is the known token with this
    /// value; `nil` if it is new. `slotHeldAnother`: whether the installation's slot (kind, environment,
    /// topic) held another value until now.
    public static func registration(
        of token: Token?, by installationID: Int64, slotHeldAnother: Bool
    ) -> RegistrationChange {
        guard let token else { return slotHeldAnother ? .rotated : .registered }
        if let owner = token.installationID, owner != installationID { return .transferred }
        if slotHeldAnother { return .rotated }
        if token.installationID == nil && token.lastRegisteredAt == nil && token.state == .active {
            return .registered
        }
        return token.state == .active ? .refreshed : .revived
    }

    /// Whether a registration, before `now` if it is backfilled, says nothing new. A sender that backfills
    /// repeats registrations when in doubt, and an old one must neither revive a token that has died since
    /// nor take a slot from a newer value. A registration that is posted as it happens always counts.
    /// `holderRegisteredAt`: when another value that holds the slot was last registered.
    public static func isOutdated(
        registeredAt: Instant, now: Instant, token: Token?, holderRegisteredAt: Instant?
    ) -> Bool {
        guard registeredAt < now else { return false }
        let latest = [token?.lastRegisteredAt, token?.diedAt, holderRegisteredAt].compactMap { $0 }.max()
        return latest.map { registeredAt <= $0 } ?? false
    }

    /// The rule of the ledger row that a registration writes for the registered value; `nil` if a refresh
    /// changes nothing that a sender needs.
    ///
    /// - Parameters:
    ///   - owner: `nil` if none is known.
    ///   - changesFeed: whether feeds say something else of the token from now on: another kind or topic,
    ///     other keys of a Web Push subscription, or that it exists.
    ///   - migrates: whether it replaces an active value of another kind of the provider.
    public static func ledgerRule(
        of change: RegistrationChange, token: Token?, owner: Int64?, changesFeed: Bool = false,
        migrates: Bool = false
    ) -> TokenRule? {
        switch change {
        case .rotated where migrates && token?.state != .active: .providerMigration
        // It was imported without a device and has an owner now. Only the ledger records since when.
        case .refreshed: owner != nil && token?.installationID == nil || changesFeed ? .registered : nil
        case .transferred: .transferred
        case .revived: .revived
        case .registered: .registered
        // The new value itself is registered (or comes back); the value that it replaces is the one rotated.
        case .rotated: token == nil || token?.state == .active ? .registered : .revived
        }
    }

    // MARK: - Slots

    /// A value that returned to a shared slot within this time is in use in a second place.
    public static let alternation = Span.days(30)

    /// When the installation last registered the value although another had replaced it; `nil` if never.
    public static func returnedAt(_ token: Token?, by installationID: Int64, at registeredAt: Instant)
        -> Instant?
    {
        guard let token, token.installationID == installationID else { return nil }
        let isReplaced = [.rotated, .providerMigration].contains(token.cause)
        return token.state == .retired && isReplaced ? registeredAt : token.returnedAt
    }

    /// The rule by which a value leaves its slot to one of this kind.
    public static func departure(of holder: TokenKind, to kind: TokenKind) -> TokenRule {
        holder == kind ? .rotated : .providerMigration
    }

    /// Whether a value that the device did not list keeps its place in the slot. Two values that replace one
    /// another again and again are both in use: two service workers of one origin, or two devices that share
    /// an id. The ledger would otherwise get two rows at every visit, and each visit would take a working
    /// token out of use. `returnedAt`: when one of the listed values last returned.
    public static func keepsSlot(_ holder: SlotHolder, besides returnedAt: Instant?, at registeredAt: Instant)
        -> Bool
    {
        guard let returned = holder.returnedAt, let returnedAt, holder.state == .active,
            let lastRegisteredAt = holder.registeredAt
        else { return false }
        let since = registeredAt - alternation
        return returned > since && returnedAt > since && lastRegisteredAt > since
    }
}

public struct SlotHolder: Hashable, Sendable {
    public let tokenID: Int64
    public let kind: TokenKind
    public let state: TokenState
    public let registeredAt: Instant?
    public let returnedAt: Instant?

    public init(
        tokenID: Int64, kind: TokenKind, state: TokenState, registeredAt: Instant?, returnedAt: Instant?
    ) {
        (self.tokenID, self.kind, self.state) = (tokenID, kind, state)
        (self.registeredAt, self.returnedAt) = (registeredAt, returnedAt)
    }
}
