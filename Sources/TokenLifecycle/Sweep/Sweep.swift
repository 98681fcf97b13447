public import DeliveryModel
internal import Foundation
public import PostgresClient

/// Finds tokens that went silent: marks them stale, and retires those that stayed so.
///
/// It plans without changing anything, and applies in batches, each its own transaction, so that a sweep can
/// be stopped at any time and run again.
public struct Sweep {
    /// The most tokens that one transaction changes.
    public static let batchSize = SweepPace.batchSize

    private let appID: Int64
    private let connection: PostgresConnection
    private let stride: Int64
    private let rest: (Duration) -> Void

    /// - Parameters:
    ///   - stride: the most tokens that one batch reads: few are silent, and a sweep must be able to stop
    ///     before it has read all.
    ///   - rest: waits this long, for the sake of other sessions
    ///     (``apply(_:now:isStopped:planned:progress:)``).
    public init(
        appID: Int64, on connection: PostgresConnection, stride: Int64 = 20_000,
        rest: ((Duration) -> Void)? = nil
    ) {
        self.appID = appID
        self.connection = connection
        self.stride = stride
        self.rest = rest ?? { Thread.sleep(forTimeInterval: $0 / .seconds(1)) }
    }

    /// The app's own periods, as far as it has set them.
    public func rules() throws -> SweepRules {
        var rules = SweepRules()
        let row = try connection.query(.Tokens.readHearing, [.value(appID)]).first
        rules.staleAfterDays = try row?.getOptional("stale_after_days") ?? rules.staleAfterDays
        rules.sweepAfterDays = try row?.getOptional("sweep_after_days") ?? rules.sweepAfterDays
        return rules
    }

    /// The changes that `apply` would make now. Only reads.
    public func plan(_ rules: SweepRules, now: Instant) throws -> SweepPlan {
        let silentBefore = rules.silentBefore(now)
        var plan = SweepPlan()
        plan.groups = try connection.query(
            .Tokens.planSweep,
            [.value(appID), .value(now), .value(silentBefore), .value(rules.staleBefore(now))]
        ).decode()
        let audience = try connection.query(
            .Tokens.planAudience,
            [
                .value(appID), .value(silentBefore), .array(TokenKind.alerting.map(\.rawValue)), .value(now),
            ]
        ).single()
        plan.audienceCount = try audience.get("audience_count")
        plan.lostAudienceCount = try audience.get("lost_count")
        plan.tokenCount = try count(.Tokens.countUnretired, now)
        plan.heardAt = try connection.query(.Tokens.readHearing, [.value(appID)])
            .first?.getOptional("heard_at")
        plan.expiredCount = try count(.Tokens.countExpired, now)
        return plan
    }

    private func count(_ statement: SQLFile, _ now: Instant) throws -> Int64 {
        try connection.query(statement, [.value(appID), .value(now)]).single().get("token_count")
    }

    /// Carries out the plan under a lock that only one sweep of the app can hold. While other sessions of the
    /// database are active, batches are small, and after each the sweep pauses for three times its duration,
    /// up to half a second, so that posting clients hardly notice.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the sweep cleanly.
    ///   - planned: receives the plan before it is carried out or refused.
    ///   - progress: receives the result so far, after each batch.
    /// - Throws: `SweepRefusal`, `LockTaken`, `PostgresError`.
    public func apply(
        _ rules: SweepRules, now: Instant, isStopped: () -> Bool = { false },
        planned: (SweepPlan) -> Void = { _ in }, progress: (SweepResult) -> Void = { _ in }
    ) throws -> SweepResult {
        try connection.withLock(.tokenRun, of: appID) { lock in
            let plan = try plan(rules, now: now)
            planned(plan)
            if let refusal = plan.refusal(rules, now: now) { throw refusal }
            guard !plan.isEmpty || plan.expiredCount > 0 else { return SweepResult() }
            return try run(
                rules, now: now, hasExpired: plan.expiredCount > 0, under: lock, isStopped: isStopped,
                progress: progress)
        }
    }

    private func run(
        _ rules: SweepRules, now: Instant, hasExpired: Bool, under lock: HeldLock, isStopped: () -> Bool,
        progress: (SweepResult) -> Void
    ) throws -> SweepResult {
        let run = TokenRun(action: "sweep", appID: appID, connection: connection)
        let runID = try run.start(now: now)
        var result = SweepResult()
        var pace = SweepPace()

        /// Runs batches, each its own transaction, until one finds no token after the cursor.
        func runBatches<Cursor>(
            from first: Cursor, countedIn count: WritableKeyPath<SweepResult, Int64>,
            _ batch: (_ cursor: Cursor, _ size: Int64) throws -> (changedCount: Int64, next: Cursor?)
        ) throws {
            var cursor = first
            while !isStopped() {
                try lock.check()
                let start = ContinuousClock.now
                let done = try connection.retrying {
                    try connection.batch {
                        try connection.fence([appID])
                        return try batch(cursor, pace.batchSize)
                    }
                }
                let work = start.duration(to: .now)
                guard let next = done.next else { return }
                cursor = next
                if done.changedCount > 0 {
                    result[keyPath: count] += done.changedCount
                    progress(result)
                }
                let othersWork: Bool = try connection.query(.Tokens.othersAtWork).single().get("others_work")
                let pause = pace.rest(after: work, othersWork: othersWork)
                if pause > .zero { rest(pause) }
            }
        }

        if hasExpired {
            let first = Instant(millisecondsSinceEpoch: 0)
            try runBatches(from: first, countedIn: \.expiredCount) { furthest, size in
                let expired: [Instant] = try connection.query(
                    .Tokens.retireExpired,
                    [
                        .value(appID), .value(now), .value(now), .value(runID), .value(size),
                        .value(furthest), .value(nil as Int64?),
                    ]
                ).column("expires_at")
                return (Int64(expired.count), expired.max())
            }
        }
        // Retiring comes first: a token that becomes stale in this run must stay stale for the app's period.
        for state in [TokenState.stale, .active, .suspect] {
            let retires = state == .stale
            let before = retires ? rules.staleBefore(now) : rules.silentBefore(now)
            let count = retires ? \SweepResult.retiredCount : \SweepResult.staleCount
            try runBatches(from: Int64(0), countedIn: count) { last, size in
                let row = try connection.query(
                    retires ? .Tokens.retireStale : .Tokens.markStale,
                    [
                        .value(appID), .value(before), .value(now), .value(runID), .value(size), .value(last),
                        .value(state.rawValue), .value(stride),
                    ]
                ).single()
                let changed: Int64 = try row.get("changed_count")
                // A batch that changed nothing need not wait for the disk.
                if changed > 0 {
                    try run.note(runID, stale: retires ? 0 : changed, retired: retires ? changed : 0)
                }
                return (changed, try row.getOptional("furthest"))
            }
        }
        result.wasStopped = isStopped()
        if !result.wasStopped { try run.note(runID, finishedAt: now) }
        return result
    }
}

public struct SweepResult: Hashable, Sendable {
    public var staleCount: Int64 = 0
    public var retiredCount: Int64 = 0
    /// Tokens that had expired.
    public var expiredCount: Int64 = 0
    /// The sweep was stopped between two batches; the next run does the rest.
    public var wasStopped = false

    public init() {}
}
