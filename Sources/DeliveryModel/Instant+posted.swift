extension Instant {
    /// 2009-01-01 00:00 UTC: APNs opened in June. Earlier instants are usually seconds given as milliseconds.
    public static let earliestPosted = Instant(millisecondsSinceEpoch: 1_230_768_000_000)

    /// Whether the instant is what languages write for a time that was never set: 1970-01-01 (0) or
    /// 0001-01-01 (Go, .NET).
    public var isZeroValue: Bool {
        millisecondsSinceEpoch == 0 || millisecondsSinceEpoch == -62_135_596_800_000
    }
}
