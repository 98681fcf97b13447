public import Instants

extension TokenRules {
    /// A value that returned to a shared slot within this time is in use in a second place.
    public static let alternation = Span.days(30)

    /// When the installation last registered the value although another one had replaced it; `nil` if it never did.
    public static func returnedAt(_ token: Token?, by installationID: Int64, at registeredAt: Instant)
        -> Instant?
    {
        guard let token, token.installationID == installationID else { return nil }
        return token.state == .retired && token.cause == .rotated ? registeredAt : token.returnedAt
    }

    /// Whether a value that the device did not list keeps its place in the slot. Two values that replace one another again and
    /// again are both in use: two service workers of one origin, or two devices that share an id. The ledger would otherwise get
    /// two rows at every visit, and each visit would take a working token out of use. `returnedAt`: when one of the listed values
    /// last returned.
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

/// A token in an installation's slot.
public struct SlotHolder: Hashable, Sendable {
    public let tokenID: Int64
    public let state: TokenState
    public let registeredAt: Instant?
    public let returnedAt: Instant?

    public init(tokenID: Int64, state: TokenState, registeredAt: Instant?, returnedAt: Instant?) {
        (self.tokenID, self.state) = (tokenID, state)
        (self.registeredAt, self.returnedAt) = (registeredAt, returnedAt)
    }
}
