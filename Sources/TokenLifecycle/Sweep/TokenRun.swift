internal import PostgresClient

/// Work on many tokens in batches, each its own transaction, recorded as a run that the ledger refers to. It
/// can be stopped between batches and run again.
struct TokenRun {
    static let batchSize = 1_000

    /// `sweep`, `release`, `confirm` or `restore`.
    let action: String
    let appID: Int64
    let connection: PostgresConnection

    /// Carries out the work under the sweep's lock: only one run at a time may go through an app's tokens.
    ///
    /// - Parameters:
    ///   - first: where the first batch begins.
    ///   - progress: receives the number of tokens changed so far, after each batch.
    ///   - batch: runs one batch of the run with this id, from the cursor on; returns where the next one
    ///     begins, or `nil` if nothing is left.
    /// - Throws: `LockTaken`, `PostgresError`.
    func carryOut<Cursor>(
        from first: Cursor, now: Instant, isStopped: () -> Bool, progress: (Int64) -> Void,
        batch: (_ runID: Int64, _ cursor: Cursor) throws -> (changedCount: Int64, next: Cursor)?
    ) throws -> TokenRunResult {
        try connection.withLock(.tokenRun, of: appID) { lock in
            let runID = try start(now: now)
            var result = TokenRunResult()
            var cursor = first
            while !isStopped() {
                try lock.check()
                // Tried again from the same place if it conflicts with a transaction of ingestion.
                let done: (changedCount: Int64, next: Cursor)? = try connection.retrying {
                    try connection.batch {
                        try connection.fence([appID])
                        let done = try batch(runID, cursor)
                        if let done { try note(runID, changed: done.changedCount) }
                        return done
                    }
                }
                guard let done else {
                    try note(runID, finishedAt: now)
                    return result
                }
                cursor = done.next
                result.changedCount += done.changedCount
                progress(result.changedCount)
            }
            result.wasStopped = true
            return result
        }
    }

    func start(now: Instant) throws -> Int64 {
        try connection.query(.Tokens.startRun, [.value(appID), .value(action), .value(now)]).single()
            .get("run_id")
    }

    /// Records the numbers of tokens changed since the last call: those that a sweep made stale or retired,
    /// or that another run changed.
    func note(
        _ runID: Int64, stale: Int64 = 0, retired: Int64 = 0, changed: Int64 = 0, finishedAt: Instant? = nil
    ) throws {
        try connection.query(
            .Tokens.progressRun,
            [.value(runID), .value(stale), .value(retired), .value(changed), .value(finishedAt)])
    }
}

public struct TokenRunResult: Hashable, Sendable {
    public var changedCount: Int64 = 0
    /// The run was stopped between two batches; the next run does the rest.
    public var wasStopped = false
}
