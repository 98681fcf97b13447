public struct BatchLimits: Sendable {
    /// The size for all flows; one flow alone may queue two thirds of it: about half a second of two cores.
    public var queued: BatchSize
    /// The most that one transaction writes, unless a single request is larger.
    public var batch: BatchSize
    /// The work that each turn allows a flow.
    public var turn: Int
    /// The number of queued items that justifies another writer's transaction.
    public var furtherWriter: Int

    public init(
        queued: BatchSize = BatchSize(items: 45_000, bytes: 24 << 20),
        batch: BatchSize = BatchSize(items: 10_000, bytes: 16 << 20), turn: Int = 1_000,
        furtherWriter: Int = 24
    ) {
        (self.queued, self.batch, self.turn, self.furtherWriter) = (queued, batch, turn, furtherWriter)
    }
}

/// A size in items, and in bytes as posted.
public struct BatchSize: Hashable, Sendable {
    public var items: Int
    public var bytes: Int

    public init(items: Int = 0, bytes: Int = 0) {
        (self.items, self.bytes) = (items, bytes)
    }

    init(of items: [BatchItem]) {
        self.init(items: items.count, bytes: items.reduce(0) { $0 + $1.text.count })
    }

    /// What it costs to write: a kilobyte as much as an item.
    var work: Int { items + bytes / 1_024 }

    func fits(_ limit: BatchSize) -> Bool { items <= limit.items && bytes <= limit.bytes }

    static func + (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items + right.items, bytes: left.bytes + right.bytes)
    }

    static func - (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items - right.items, bytes: left.bytes - right.bytes)
    }
}
