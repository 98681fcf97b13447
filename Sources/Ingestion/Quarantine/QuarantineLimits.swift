/// How much of an app's rejected items is kept. Beyond that, the oldest are removed and counted as evicted.
public struct QuarantineLimits: Hashable, Sendable {
    public var items: Int64
    /// Bytes of sealed text: per item, 28 bytes more than was posted.
    public var bytes: Int64

    public init(items: Int64 = 100_000, bytes: Int64 = 256 << 20) {
        self.items = items
        self.bytes = bytes
    }
}
