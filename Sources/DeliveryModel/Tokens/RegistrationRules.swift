public import Instants

/// The change that a registration made to one token, as named in the response to `PUT /v1/devices/{id}`.
public enum RegistrationChange: String, Sendable {
    case registered
    case refreshed
    case rotated
    case revived
    case transferred
}

extension TokenRules {
    /// The change that an installation makes by registering a value. `token` is the known token with this value; `nil` if it is
    /// new. `slotHeldAnother`: whether the installation's slot (kind, environment, topic) held another value until now.
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

    /// Whether a registration says nothing new. A sender that backfills repeats registrations when in doubt, and an old one must
    /// neither revive a token that has died since nor take a slot from a newer value. A registration that is posted as it happens
    /// always counts.
    ///
    /// - Parameters:
    ///   - registeredAt: when the app registered; for backfilled registrations, before `now`.
    ///   - token: the known token with this value; `nil` if it is new.
    ///   - holderRegisteredAt: when the value that holds the slot was last registered; `nil` for a free slot, or the same value.
    public static func isOutdated(
        registeredAt: Instant, now: Instant, token: Token?, holderRegisteredAt: Instant?
    ) -> Bool {
        guard registeredAt < now else { return false }
        let latest = [token?.lastRegisteredAt, token?.diedAt, holderRegisteredAt].compactMap { $0 }.max()
        return latest.map { registeredAt <= $0 } ?? false
    }

    /// The rule of the ledger row that a registration writes for the registered value; `nil` if a refresh changes neither the
    /// state nor the owner, which is `nil` if none is known.
    public static func ledgerRule(of change: RegistrationChange, token: Token?, owner: Int64?) -> TokenRule? {
        switch change {
        // It was imported without a device and has an owner now. Only the ledger records since when.
        case .refreshed: owner != nil && token?.installationID == nil ? .registered : nil
        case .transferred: .transferred
        case .revived: .revived
        case .registered: .registered
        // The new value itself is registered (or comes back); the value that it replaces is the one rotated.
        case .rotated: token == nil || token?.state == .active ? .registered : .revived
        }
    }
}
