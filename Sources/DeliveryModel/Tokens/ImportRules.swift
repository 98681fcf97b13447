/// What a line of an import does to its token, or why it does nothing.
public enum ImportVerdict: String, CaseIterable, Sendable {
    /// The value was not known, or only from answers.
    case registered
    /// It takes the slot of an older value.
    case rotated
    /// It moves to another installation.
    case transferred
    /// It was suspect, stale or retired, and was registered since.
    case revived
    /// It is known; the registration is later than the known one, or names its installation for the first time.
    case refreshed
    /// This very registration is known.
    case unchanged
    /// What is known is newer: a later registration, a later value in its slot, a later refusal or death.
    case outdated
    /// The device or the token was erased on request, and stays so.
    case erased
    /// The line cannot be read; its code says why.
    case invalid

    /// Nil when nothing is written.
    public var change: RegistrationChange? { RegistrationChange(rawValue: rawValue) }
}

extension TokenRules {
    /// What a line of an import means: somebody's word that an app registered this value at an instant of the past. What was
    /// heard of the token since then counts more, so that a table can be imported again and again.
    ///
    /// - Parameters:
    ///   - registeredAt: when the app registered, as the line says.
    ///   - installationID: who registered; nil when the line does not say.
    ///   - token: what is known about the value; nil when it is new.
    ///   - diedAt: since when a retired token is dead: the provider's time, else that of the push or of the decision.
    ///   - slotHeldAnother: whether the installation's slot held another value until now.
    ///   - holderRegisteredAt: when that other value was registered last.
    public static func importVerdict(
        registeredAt: Instant, installationID: Int64?, token: Token?, diedAt: Instant?, slotHeldAnother: Bool,
        holderRegisteredAt: Instant?
    ) -> ImportVerdict {
        if let holderRegisteredAt, registeredAt <= holderRegisteredAt { return .outdated }
        guard let token else { return slotHeldAnother ? .rotated : .registered }
        if let known = verdictOnKnown(registeredAt, installationID, token, diedAt) { return known }
        let change = registration(
            of: token, by: installationID ?? token.installationID ?? 0, slotHeldAnother: slotHeldAnother)
        return ImportVerdict(rawValue: change.rawValue) ?? .refreshed
    }

    /// Nil when the line is news about the token.
    private static func verdictOnKnown(
        _ registeredAt: Instant, _ installationID: Int64?, _ token: Token, _ diedAt: Instant?
    ) -> ImportVerdict? {
        let isSameRegistration = registeredAt == token.lastRegisteredAt
        let doubtedAt = token.state == .retired ? diedAt : token.state == .suspect ? token.lastRefusedAt : nil
        if let doubtedAt, registeredAt <= doubtedAt { return isSameRegistration ? .unchanged : .outdated }
        guard let lastRegisteredAt = token.lastRegisteredAt, registeredAt <= lastRegisteredAt else {
            return nil
        }
        guard isSameRegistration else { return .outdated }
        guard let installationID, installationID != token.installationID else { return .unchanged }
        // The table knows now whose it is.
        return token.installationID == nil ? nil : .outdated
    }
}
