extension Instant {
    /// 2009-01-01: Apple's push service opened in June of that year. What claims to be older is most often seconds taken for
    /// milliseconds.
    public static let earliestPosted = Instant(millisecondsSinceEpoch: 1_230_768_000_000)

    /// What languages write for a time that was never set: 1970-01-01 (0), and 0001-01-01 (Go, .NET).
    public var isZeroValue: Bool {
        millisecondsSinceEpoch == 0 || millisecondsSinceEpoch == -62_135_596_800_000
    }
}
