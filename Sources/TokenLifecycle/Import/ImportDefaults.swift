public import DeliveryModel
public import Instants

/// Values for rows of a table that do not state their own.
public struct ImportDefaults: Hashable, Sendable {
    /// If `nil`, the row's provider determines it; alert if the row names none.
    public var kind: TokenKind?
    public var environment = Environment.production
    /// Empty if unknown.
    public var topic = ""
    /// If `nil`, a row has to state when its token was registered.
    public var registeredAt: Instant?

    public init() {}
}
