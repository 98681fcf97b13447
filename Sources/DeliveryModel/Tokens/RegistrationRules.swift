/// What one token of a registration did, as the answer to `PUT /v1/devices/{id}` names it.
public enum RegistrationChange: String, Sendable {
    case registered
    case refreshed
    case rotated
    case revived
    case transferred
}

extension TokenRules {
    /// What it means that an installation registers a value.
    ///
    /// - Parameters:
    ///   - token: what is known about the value; nil when it is new.
    ///   - installationID: who registers it.
    ///   - slotHeldAnother: whether the installation's slot (kind, environment, topic) held another value until now.
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

    /// Whether a registration says nothing new: a sender that back-fills repeats what it is not sure about, and an old
    /// registration must neither revive a token that died since nor take a slot from a newer value. One that is told as it
    /// happens always counts.
    ///
    /// - Parameters:
    ///   - registeredAt: when the app registered, which for back-filled registrations lies before `now`.
    ///   - token: what is known about the value; nil when it is new.
    ///   - holderRegisteredAt: when the value that holds the slot was registered last; nil for a free slot, or the same value.
    public static func isOutdated(
        registeredAt: Instant, now: Instant, token: Token?, holderRegisteredAt: Instant?
    ) -> Bool {
        guard registeredAt < now else { return false }
        let latest = [token?.lastRegisteredAt, token?.diedAt, holderRegisteredAt].compactMap { $0 }.max()
        return latest.map { registeredAt <= $0 } ?? false
    }

    /// The row that a registration writes into the ledger for the registered value; nil when a refresh changes neither the state
    /// nor the owner.
    ///
    /// - Parameter owner: the installation that holds the token from now on; nil when none is known.
    public static func ledgerRule(
        of change: RegistrationChange, token: Token?, owner: Int64?
    ) -> TokenRule? {
        switch change {
        // Imported without a device, and now somebody's: only the ledger knows since when.
        case .refreshed: owner != nil && token?.installationID == nil ? .registered : nil
        case .transferred: .transferred
        case .revived: .revived
        case .registered: .registered
        // The new value itself is registered (or comes back); it is the value it replaces that was rotated.
        case .rotated: token == nil || token?.state == .active ? .registered : .revived
        }
    }
}
