/// The effect of a line of an import on its token, or the reason it has none.
public enum ImportVerdict: String, CaseIterable, Sendable {
    /// The value was unknown, or known only from responses.
    case registered
    /// It takes the slot of an older value.
    case rotated
    /// It moves to another installation.
    case transferred
    /// It was suspect, stale or retired, and has been registered since.
    case revived
    /// It is known; the registration is later than the known one, or first names its installation.
    case refreshed
    /// This very registration is known.
    case unchanged
    /// A later value had taken its slot, so it is recorded as retired.
    case superseded
    /// Newer data is known: a later registration, rejection or death.
    case outdated
    /// The device or the token was erased on request, and stays erased.
    case erased
    /// The line is invalid; its code says why.
    case invalid

    /// The registration that is written; `nil` if the value does not become active.
    public var change: RegistrationChange? { RegistrationChange(rawValue: rawValue) }

    public var isWritten: Bool { change != nil || self == .superseded }
}

extension TokenRules {
    /// The verdict on a line of an import, which claims that an app registered this value at a past instant.
    /// Anything known from after that instant prevails, so a table can be imported repeatedly.
    ///
    /// - Parameters:
    ///   - installationID: the installation that registered; `nil` if the line does not say.
    ///   - token: the known token with this value; `nil` if it is new.
    ///   - diedAt: when a retired token died: the provider's time, otherwise that of the push or of the
    ///     decision.
    ///   - holderRegisteredAt: when the other value that held the installation's slot was last registered.
    ///   - bringsKeys: whether the line has keys of a Web Push subscription that are not the known ones.
    public static func importVerdict(
        registeredAt: Instant, installationID: Int64?, token: Token?, diedAt: Instant?, slotHeldAnother: Bool,
        holderRegisteredAt: Instant?, bringsKeys: Bool = false
    ) -> ImportVerdict {
        let isSuperseded = holderRegisteredAt.map { registeredAt <= $0 } ?? false
        guard let token else { return isSuperseded ? .superseded : slotHeldAnother ? .rotated : .registered }
        if let known = verdictOnKnown(registeredAt, installationID, token, diedAt) {
            // A table that is imported again, with the keys that it lacked at first.
            return known == .unchanged && bringsKeys && token.state == .active ? .refreshed : known
        }
        if isSuperseded { return token.state == .retired ? .outdated : .superseded }
        let change = registration(
            of: token, by: installationID ?? token.installationID ?? 0, slotHeldAnother: slotHeldAnother)
        return switch change {
        case .registered: .registered
        case .rotated: .rotated
        case .transferred: .transferred
        case .revived: .revived
        case .refreshed: .refreshed
        }
    }

    /// Returns `nil` if the line has news about the token.
    private static func verdictOnKnown(
        _ registeredAt: Instant, _ installationID: Int64?, _ token: Token, _ diedAt: Instant?
    ) -> ImportVerdict? {
        let isSameRegistration = registeredAt == token.lastRegisteredAt
        let doubtedAt =
            token.state == .retired ? diedAt : token.state == .suspect ? token.lastRejectedAt : nil
        if let doubtedAt, registeredAt <= doubtedAt { return isSameRegistration ? .unchanged : .outdated }
        guard let lastRegisteredAt = token.lastRegisteredAt, registeredAt <= lastRegisteredAt else {
            return nil
        }
        guard isSameRegistration else { return .outdated }
        guard let installationID, installationID != token.installationID else { return .unchanged }
        // If the token had no installation, the table now provides one.
        return token.installationID == nil ? nil : .outdated
    }
}
