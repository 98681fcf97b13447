internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Work on many tokens in batches, each its own transaction, recorded as a run that the ledger refers to. It can be stopped
/// between batches and run again.
struct TokenRun {
    static let batchSize = 1_000

    /// `release`, `confirm` or `restore`.
    let action: String
    let appID: Int64
    let connection: PostgresConnection

    struct Batch<Cursor> {
        let changedCount: Int64
        /// The start of the next batch.
        let next: Cursor
    }

    /// Carries out the work under the lock of the sweep, because only one run may go through all tokens of an app at a time.
    ///
    /// - Parameters:
    ///   - first: where the first batch begins.
    ///   - progress: receives the number of tokens changed so far, after each batch.
    ///   - batch: runs one batch of the run with this id, from the cursor on; returns `nil` if nothing is left.
    /// - Throws: `LockTaken`, `PostgresError`.
    func carryOut<Cursor>(
        from first: Cursor, now: Instant, isStopped: () -> Bool, progress: (Int64) -> Void,
        batch: (_ runID: Int64, _ cursor: Cursor) throws -> Batch<Cursor>?
    ) throws -> TokenRunResult {
        try connection.withLock(.tokenRun, of: appID) { lock in
            let runID = try connection.query(
                .Tokens.startRun, [.value(appID), .value(action), .value(now)]
            ).single().get("run_id", as: Int64.self)
            var result = TokenRunResult()
            var cursor = first
            while !isStopped() {
                try lock.check()
                guard let done = try transaction(runID: runID, { try batch(runID, cursor) }) else {
                    try note(0, runID: runID, finishedAt: now)
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

    /// Runs one batch and records it; tries again from the same place if it conflicts with a transaction of ingestion.
    private func transaction<Cursor>(
        runID: Int64, _ batch: () throws -> Batch<Cursor>?
    ) throws -> Batch<Cursor>? {
        try connection.retrying {
            try connection.batch {
                let done = try batch()
                if let done { try note(done.changedCount, runID: runID, finishedAt: nil) }
                return done
            }
        }
    }

    private func note(_ changed: Int64, runID: Int64, finishedAt: Instant?) throws {
        try connection.query(
            .Tokens.progressRun,
            [.value(runID), .value(Int64(0)), .value(Int64(0)), .value(changed), .value(finishedAt)])
    }
}

/// The result of a run.
public struct TokenRunResult: Hashable, Sendable {
    public var changedCount: Int64 = 0
    /// The run was stopped between two batches; the next run does the rest.
    public var wasStopped = false

    public init() {}
}
