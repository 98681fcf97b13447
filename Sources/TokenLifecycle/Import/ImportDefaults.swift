public import DeliveryModel

/// What counts for the rows of a table that do not say it themselves.
public struct ImportDefaults: Hashable, Sendable {
    /// Nil: what the row's provider hands out, and alert where it names none.
    public var kind: TokenKind?
    public var environment = Environment.production
    /// Empty: unknown.
    public var topic = ""
    /// Nil: a row has to say when its token was registered.
    public var registeredAt: Instant?

    public init() {}
}
