/// What became of an app's rejected items since its beginning.
public struct QuarantineBooks: Hashable, Sendable {
    /// Went into quarantine.
    public var kept: Int64
    /// Were there already.
    public var repeated: Int64
    /// Had to make room.
    public var evicted: Int64
    /// Were dropped by somebody.
    public var dropped: Int64
    /// Were posted again, and are recorded.
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
