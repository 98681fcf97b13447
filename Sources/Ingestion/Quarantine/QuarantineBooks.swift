/// The totals of an app's rejected items since the app was created.
public struct QuarantineBooks: Hashable, Sendable {
    /// Items that went into quarantine.
    public var kept: Int64 = 0
    /// Items that were already in quarantine.
    public var repeated: Int64 = 0
    /// Items removed to make room.
    public var evicted: Int64 = 0
    /// Items that an operator dropped.
    public var dropped: Int64 = 0
    /// Items that were posted again and recorded.
    public var replayed: Int64 = 0
}
