/// How much of an app's rejected items is kept. Beyond it the oldest go, and are counted as evicted.
public struct QuarantineLimits: Hashable, Sendable {
    public var items: Int64
    /// Of sealed text: 28 bytes more per item than was posted.
    public var bytes: Int64

    public init(items: Int64 = 100_000, bytes: Int64 = 256 << 20) {
        self.items = items
        self.bytes = bytes
    }
}
