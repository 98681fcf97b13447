public import PostgresClient
internal import SQLFiles

/// Makes room in quarantines that are fuller than their limits: the oldest items go, and are counted.
///
/// How full they are is read from the books, a handful of rows per app, so that asking costs next to nothing and a batch may
/// ask whenever it rejects something.
public struct QuarantineEviction: Sendable {
    /// The shard of maintenance and of people, which no writer uses.
    public static let maintenanceShard: Int16 = -1

    private let limits: QuarantineLimits
    private let shard: Int16

    public init(limits: QuarantineLimits, shard: Int16 = maintenanceShard) {
        self.limits = limits
        self.shard = shard
    }

    /// Must run within a transaction. A quarantine that somebody else takes items out of right now is left to them; what is
    /// too much then goes with the next batch. Only when they fall behind, and it is fuller than its limits by a tenth, this
    /// waits for them: then everybody who posts garbage has to, and nobody else.
    ///
    /// - Parameter apps: nil for all.
    /// - Returns: how many items went.
    @discardableResult
    public func makeRoom(in apps: Set<Int64>? = nil, on connection: PostgresConnection) throws -> Int64 {
        var evicted: Int64 = 0
        for total in try totals(of: apps, on: connection) where total.excess(over: limits) != nil {
            let mayWait = total.excess(over: limits.withTolerance) != nil
            guard try connection.lockInTransaction(.quarantine, of: total.appID, mayWait: mayWait) else {
                continue
            }
            evicted += try evict(from: total.appID, on: connection)
        }
        return evicted
    }

    /// Reads the books again, behind the lock: what was too much may have gone.
    private func evict(from appID: Int64, on connection: PostgresConnection) throws -> Int64 {
        var evicted: Int64 = 0
        while let excess = try totals(of: [appID], on: connection).first?.excess(over: limits) {
            let gone: Int64 = try connection.query(
                .Quarantine.evictOldest,
                [
                    .value(appID), .value(excess.items), .value(excess.bytes), .value(excess.reach),
                    .value(shard),
                ]
            ).single().get(0)
            guard gone > 0 else { break }
            evicted += gone
        }
        return evicted
    }

    private func totals(of apps: Set<Int64>?, on connection: PostgresConnection) throws -> [Total] {
        let parameter = apps.map { PostgresParameter.array($0.sorted()) } ?? .noArray(of: Int64.self)
        return try connection.query(.Quarantine.readTotals, [parameter]).map { row in
            Total(appID: try row.get(0), items: try row.get(1), bytes: try row.get(2))
        }
    }
}

extension QuarantineEviction {
    /// What an app's quarantine holds.
    private struct Total {
        let appID: Int64
        let items: Int64
        let bytes: Int64

        func excess(over limits: QuarantineLimits) -> Excess? {
            let excess = Excess(
                items: max(0, items - limits.items), bytes: max(0, bytes - limits.bytes),
                bytesPerItem: max(1, bytes / max(1, items)))
            return excess.items == 0 && excess.bytes == 0 ? nil : excess
        }
    }

    private struct Excess {
        let items: Int64
        let bytes: Int64
        let bytesPerItem: Int64

        /// How many of the oldest to look at: if their texts are shorter than most, there is another round.
        var reach: Int64 { max(items, bytes == 0 ? 0 : 2 * (bytes / bytesPerItem) + 16) }
    }
}

extension QuarantineLimits {
    /// How full a quarantine may become while somebody is at it already.
    fileprivate var withTolerance: QuarantineLimits {
        QuarantineLimits(items: items + items / 10, bytes: bytes + bytes / 10)
    }
}
