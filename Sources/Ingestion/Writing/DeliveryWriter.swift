public import DeliveryModel
public import Instants
public import Logging
public import PostgresClient
public import TokenLifecycle

/// Writes batches on the connections of a pool, and tries again if the database is restarting.
public struct DeliveryWriter: Sendable {
    private let pool: PostgresPool
    private let recorder: BatchRecorder

    /// The number of attempts, including the first, if the database is restarting or two batches collide. Repeating is safe,
    /// because a repeated event changes nothing.
    private static let attempts = 4

    /// - Parameter firstShard: as in ``BatchRecorder``.
    public init(
        pool: PostgresPool, vault: TokenVault, taxonomy: RejectionTaxonomy,
        limits: QuarantineLimits = QuarantineLimits(), firstShard: Int16 = BatchRecorder.anyShard,
        logger: Logger
    ) {
        self.init(
            pool: pool,
            recorder: BatchRecorder(
                vault: vault, taxonomy: taxonomy, limits: limits, firstShard: firstShard, logger: logger))
    }

    public init(pool: PostgresPool, recorder: BatchRecorder) {
        (self.pool, self.recorder) = (pool, recorder)
    }

    /// Writes the items and returns one verdict each, in order, after the commit.
    ///
    /// - Parameters:
    ///   - writer: the caller's number among concurrent writers.
    ///   - now: when the items were received.
    /// - Throws: ``PostgresError`` if the database is unavailable. Then nothing of the batch is recorded, or, if the connection
    ///   was lost during the commit, possibly all of it, or, if some items need a confirmation, possibly the others; repeating it
    ///   is safe.
    public func write(
        _ items: [BatchItem], writer: Int = 0, now: Instant = .now
    ) async throws -> [Verdict] {
        let unsure = items.indices.filter { items[$0].needsConfirmation }
        guard !unsure.isEmpty, unsure.count < items.count else {
            return try await writeAlike(items, writer: writer, now: now)
        }
        // Last, because the others may confirm them.
        let sure = items.indices.filter { !items[$0].needsConfirmation }
        var verdicts = items.map { _ in Verdict.duplicate }
        for positions in [sure, unsure] {
            let written = try await writeAlike(positions.map { items[$0] }, writer: writer, now: now)
            for (position, verdict) in zip(positions, written) { verdicts[position] = verdict }
        }
        return verdicts
    }

    /// Writes items that all need a confirmation, or all need none.
    private func writeAlike(_ items: [BatchItem], writer: Int, now: Instant) async throws -> [Verdict] {
        let shard = recorder.shard(ofWriter: writer)
        let written = try await pool.withConnection(attempts: Self.attempts) { connection in
            try recorder.write(items, now: now, shard: shard, on: connection)
        }
        if !written.waitingTokenIDs.isEmpty {
            try await pool.withConnection(attempts: Self.attempts) { connection in
                _ = try WaitingMessages(shard: shard).claim(written.waitingTokenIDs, on: connection)
            }
        }
        return written.verdicts
    }
}
