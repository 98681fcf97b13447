public import PostgresClient

/// Makes room in quarantines whose shares exceed their limits: removes the oldest items of the same app and
/// kind of key, and counts them.
///
/// The totals come from the accounts (`landfall.quarantine_count`), a few rows per app. Reading them costs
/// almost nothing, so a batch can do it whenever it rejects an item.
public struct QuarantineEviction: Sendable {
    /// The shard of maintenance and of operators' commands, which no writer uses.
    public static let maintenanceShard: Int16 = -1

    private let limits: QuarantineLimits
    private let shard: Int16

    public init(limits: QuarantineLimits, shard: Int16 = maintenanceShard) {
        (self.limits, self.shard) = (limits, shard)
    }

    /// Evicts the oldest items of the shares that may have grown (`nil`: of all), and returns their number;
    /// must run within a transaction. If another session is removing items from a quarantine, this one leaves
    /// it to that session; the next batch evicts the rest. Only if a share exceeds its limits by a tenth does
    /// this wait, so that only the clients that post garbage have to wait.
    @discardableResult
    public func makeRoom(in shares: Set<Flow>? = nil, on connection: PostgresConnection) throws -> Int64 {
        var evicted: Int64 = 0
        let apps = shares.map { Set($0.map(\.appID)) }
        for total in try totals(of: apps, on: connection)
        where shares?.contains(total.share) ?? true && total.excess(over: limits) != nil {
            let mayWait = total.excess(over: limits.withTolerance) != nil
            guard try connection.lockInTransaction(.quarantine, of: total.share.appID, mayWait: mayWait)
            else { continue }
            evicted += try evict(from: total.share, on: connection)
        }
        return evicted
    }

    /// Reads the accounts again under the lock: another session may have removed the excess.
    private func evict(from share: Flow, on connection: PostgresConnection) throws -> Int64 {
        var evicted: Int64 = 0
        while let excess = try totals(of: [share.appID], on: connection).first(where: { $0.share == share })?
            .excess(over: limits)
        {
            let gone: Int64 = try connection.query(
                .Quarantine.evictOldest,
                [
                    .value(share.appID), .value(share.poster.rawValue), .value(excess.items),
                    .value(excess.bytes), .value(excess.reach), .value(shard),
                ]
            ).single().get("evicted")
            guard gone > 0 else { break }
            evicted += gone
        }
        return evicted
    }

    private func totals(of apps: Set<Int64>?, on connection: PostgresConnection) throws -> [Total] {
        let parameter = apps.map { PostgresParameter.array($0.sorted()) } ?? .noArray(of: Int64.self)
        return try connection.query(.Quarantine.readTotals, [parameter]).decode()
    }

    private struct Total: Decodable {
        let share: Flow
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

        /// The number of oldest items to read. If they are shorter than average, another round follows.
        var reach: Int64 { max(items, bytes == 0 ? 0 : 2 * (bytes / bytesPerItem) + 16) }
    }
}

extension QuarantineLimits {
    /// The limits a share may grow to while another session is removing items from the quarantine.
    fileprivate var withTolerance: QuarantineLimits {
        QuarantineLimits(items: items + items / 10, bytes: bytes + bytes / 10)
    }
}
