/// The totals of an app's rejected items since the app was created.
public struct QuarantineBooks: Hashable, Sendable {
    /// Items that went into quarantine.
    public var kept: Int64
    /// Items that were already in quarantine.
    public var repeated: Int64
    /// Items removed to make room.
    public var evicted: Int64
    /// Items that an operator dropped.
    public var dropped: Int64
    /// Items that were posted again and recorded.
    public var replayed: Int64

    public init(
        kept: Int64 = 0, repeated: Int64 = 0, evicted: Int64 = 0, dropped: Int64 = 0, replayed: Int64 = 0
    ) {
        self.kept = kept
        self.repeated = repeated
        self.evicted = evicted
        self.dropped = dropped
        self.replayed = replayed
    }
}
