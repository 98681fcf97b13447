public import DeliveryModel
public import Logging
public import PostgresClient
internal import Synchronization
public import Vault

/// Writes batches on the connections of a pool, tries again if the database is restarting, and in halves if a
/// batch takes too long.
public final class DeliveryWriter: Sendable {
    private let pool: PostgresPool
    private let recorder: BatchRecorder
    private let logger: Logger
    private let span = Mutex(BatchSpan())

    /// The number of attempts, including the first, if the database is restarting or two batches collide.
    /// Repeating is safe, because a repeated event changes nothing.
    private static let attempts = 4
    /// How often a batch is halved before its callers get an error. The next batch keeps the smaller size.
    private static let halvings = 2

    public convenience init(
        pool: PostgresPool, vault: TokenVault, taxonomy: RejectionTaxonomy,
        limits: QuarantineLimits = QuarantineLimits(), firstShard: Int16 = BatchRecorder.anyShard,
        logger: Logger
    ) {
        self.init(
            pool: pool,
            recorder: BatchRecorder(
                vault: vault, taxonomy: taxonomy, limits: limits, firstShard: firstShard, logger: logger),
            logger: logger)
    }

    public init(pool: PostgresPool, recorder: BatchRecorder, logger: Logger) {
        (self.pool, self.recorder, self.logger) = (pool, recorder, logger)
    }

    /// Writes the items, received at `now`, as one of several writers, and returns one verdict each, in
    /// order, after the commit.
    ///
    /// - Throws: ``PostgresError`` if the database is unavailable or too slow. Usually, nothing of the batch
    ///   is recorded then. If the connection was lost during the commit, all of it may be; if the batch was
    ///   written in parts, some of them may be. Repeating it is safe. ``MovingApps`` if all items but those
    ///   of apps that are being moved are recorded.
    public func write(_ items: [BatchItem], writer: Int = 0, now: Instant = .now) async throws -> [Verdict] {
        var moving: [Int64: PostgresError] = [:]
        var verdicts: [Verdict]
        let unsure = items.indices.filter { items[$0].needsConfirmation }
        if unsure.isEmpty || unsure.count == items.count {
            verdicts = try await writeAlike(items, writer: writer, now: now, &moving)
        } else {
            // Last, because the others may confirm them.
            let sure = items.indices.filter { !items[$0].needsConfirmation }
            verdicts = items.map { _ in .duplicate }
            for positions in [sure, unsure] {
                let part = positions.map { items[$0] }
                let written = try await writeAlike(part, writer: writer, now: now, &moving)
                for (position, verdict) in zip(positions, written) { verdicts[position] = verdict }
            }
        }
        guard moving.isEmpty else { throw MovingApps(errors: moving, verdicts: verdicts) }
        return verdicts
    }

    /// Writes items that all need a confirmation, or all need none: in one transaction or, if that takes too
    /// long, in several. If one of them fails, the caller repeats the request, and items that earlier ones
    /// committed count as duplicates. Items of apps that turn out to be moving are left out.
    func writeAlike(
        _ items: [BatchItem], writer: Int, now: Instant, _ moving: inout [Int64: PostgresError]
    ) async throws -> [Verdict] {
        let shard = recorder.shard(ofWriter: writer)
        var verdicts: [Verdict] = []
        var halvings = 0
        while verdicts.count < items.count {
            let most = span.withLock(\.limit)
            let isWhole = verdicts.isEmpty && most >= items.count
            let part = isWhole ? items : Array(items[verdicts.count...].prefix(most))
            let started = ContinuousClock.now
            let written: BatchRecorder.Written
            do {
                written = try await pool.withConnection(attempts: Self.attempts) { [recorder] connection in
                    try recorder.write(part, now: now, shard: shard, on: connection)
                }
            } catch let error as PostgresError {
                let rest = items[verdicts.count...]
                if let appID = error.movingApp, rest.contains(where: { $0.appID == appID }) {
                    moving[appID] = error
                    verdicts += try await writeOthers(Array(rest), writer: writer, now: now, &moving)
                    return verdicts
                }
                guard let statement = error.slowStatement else { throw error }
                span.withLock { $0.tookTooLong(part.count, after: started.duration(to: .now)) }
                guard part.count > 1, halvings < Self.halvings else { throw error }
                halvings += 1
                logger.warning(
                    "a batch took too long; trying it in halves",
                    metadata: ["items": "\(part.count)", "statement": "\(statement)"])
                continue
            }
            halvings = 0
            span.withLock { $0.wrote(written.verdicts.count, in: started.duration(to: .now)) }
            verdicts += written.verdicts
            if !written.waitingTokenIDs.isEmpty {
                try await pool.withConnection(attempts: Self.attempts) { connection in
                    _ = try WaitingMessages(shard: shard).claim(written.waitingTokenIDs, on: connection)
                }
            }
        }
        return verdicts
    }
}
