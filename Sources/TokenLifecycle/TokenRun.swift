internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Work on many tokens in batches, each its own transaction, noted as a run that the ledger refers to. It can be stopped
/// between batches and run again.
struct TokenRun {
    static let batchSize = 1_000

    /// `release`, `confirm` or `restore`.
    let action: String
    let appID: Int64
    let connection: PostgresConnection

    /// Carries the work out under the lock of the sweep: whatever goes through all tokens of an app does so alone.
    ///
    /// - Parameters:
    ///   - batch: one batch of the run with the given id; answers how many tokens it changed, nil when nothing is left.
    ///   - progress: told after each batch how many tokens have been changed so far.
    /// - Throws: ``SweepError/someoneElseSweeps``, `PostgresError`.
    func carryOut(
        now: Instant, isStopped: () -> Bool, progress: (Int64) -> Void,
        batch: (_ runID: Int64) throws -> Int64?
    ) throws -> TokenRunResult {
        guard try connection.query(.Tokens.lockSweep, [.value(appID)]).single().get(0, as: Bool.self) else {
            throw SweepError.someoneElseSweeps
        }
        // The lock goes with the session when the connection is what broke.
        defer { _ = try? connection.query(.Tokens.unlockSweep, [.value(appID)]) }

        let runID = try connection.query(
            .Tokens.startRun, [.value(appID), .value(action), .value(now)]
        ).single().get(0, as: Int64.self)
        var result = TokenRunResult()
        while !isStopped() {
            guard let changed = try transaction(runID: runID, batch) else {
                try note(0, runID: runID, finishedAt: now)
                return result
            }
            result.changedCount += changed
            progress(result.changedCount)
        }
        result.wasStopped = true
        return result
    }

    /// One batch and the note of it, tried again when it meets one of ingestion's.
    private func transaction(runID: Int64, _ batch: (Int64) throws -> Int64?) throws -> Int64? {
        func once() throws -> Int64? {
            try connection.transaction {
                let changed = try batch(runID)
                if let changed { try note(changed, runID: runID, finishedAt: nil) }
                return changed
            }
        }
        for _ in 1...3 {
            do {
                return try once()
            } catch let error as PostgresError where error.isTransient && !error.endsConnection {
                continue
            }
        }
        return try once()
    }

    private func note(_ changed: Int64, runID: Int64, finishedAt: Instant?) throws {
        try connection.query(.Tokens.progressRun, [.value(runID), .value(changed), .value(finishedAt)])
    }
}

/// What a run changed.
public struct TokenRunResult: Hashable, Sendable {
    public var changedCount: Int64 = 0
    /// Ended between two batches because it was asked to; what is left is for the next run.
    public var wasStopped = false

    public init() {}
}
