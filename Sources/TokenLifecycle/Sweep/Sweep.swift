public import DeliveryModel
internal import Foundation
public import Instants
public import PostgresClient
internal import SQLFiles

/// Finds tokens that went silent: marks them stale, and retires those that stayed so.
///
/// It plans without changing anything, and applies in batches, each its own transaction, so that a sweep can be stopped at any
/// time and run again.
public struct Sweep {
    /// The most tokens that one transaction changes.
    public static let batchSize = SweepPace.batchSize

    private let appID: Int64
    private let connection: PostgresConnection
    private let stride: Int64
    private let rest: (Duration) -> Void

    /// - Parameters:
    ///   - stride: the most tokens that one batch reads: few are silent, and a sweep must be able to stop before it has read all.
    ///   - rest: waits this long, for the sake of other sessions (``apply(_:now:isStopped:planned:progress:)``).
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
        let groups = try connection.query(
            .Tokens.planSweep,
            [
                .value(appID), .value(now), .value(silentBefore),
                .value(rules.staleBefore(now)),
            ])
        let audience = try connection.query(
            .Tokens.planAudience,
            [
                .value(appID), .value(silentBefore), .array(TokenKind.alerting.map(\.rawValue)), .value(now),
            ]
        ).single()
        let tokens = try connection.query(.Tokens.countUnretired, [.value(appID), .value(now)]).single()
        let hearing = try connection.query(.Tokens.readHearing, [.value(appID)]).first
        return SweepPlan(
            groups: try groups.compactMap(SweepPlan.Group.init), tokenCount: try tokens.get("token_count"),
            audienceCount: try audience.get("audience_count"),
            lostAudienceCount: try audience.get("lost_count"), heardAt: try hearing?.getOptional("heard_at"),
            expiredCount: try TokenExpiry(appID: appID, connection: connection).count(now: now))
    }

    /// Carries out the plan under a lock that only one sweep of the app can hold. While other sessions of the database are
    /// active, batches are small, and after each the sweep pauses for three times its duration, up to half a second, so that
    /// posting clients hardly notice.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the sweep cleanly.
    ///   - planned: receives the plan before it is carried out or refused.
    ///   - progress: receives the result so far, after each batch.
    /// - Throws: ``SweepError``, `LockTaken`, `PostgresError`.
    public func apply(
        _ rules: SweepRules, now: Instant, isStopped: () -> Bool = { false },
        planned: (SweepPlan) -> Void = { _ in }, progress: (SweepResult) -> Void = { _ in }
    ) throws -> SweepResult {
        try connection.withLock(.tokenRun, of: appID) { lock in
            let plan = try plan(rules, now: now)
            planned(plan)
            if let refusal = plan.refusal(rules, now: now) { throw SweepError.refused(refusal) }
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
        let runID = try connection.query(.Tokens.startRun, [.value(appID), .value("sweep"), .value(now)])
            .single().get("run_id", as: Int64.self)
        var result = SweepResult()
        var batches = SweepBatches(on: connection, rest: rest)
        if hasExpired {
            let expiry = TokenExpiry(appID: appID, connection: connection)
            try expiry.retire(now: now, runID: runID, in: &batches, isStopped: isStopped) { count in
                result.expiredCount += count
                progress(result)
            }
        }
        for step in Step.all(rules, now: now) {
            var furthest: Int64 = 0
            while !isStopped() {
                try lock.check()
                let batch = try batches.run { size in
                    try change(step, now: now, runID: runID, after: furthest, atMost: size)
                }
                guard let last = batch.furthest else { break }
                furthest = last
                if batch.changedCount > 0 {
                    result[keyPath: step.count] += batch.changedCount
                    progress(result)
                }
                try batches.makeRoom()
            }
        }
        result.wasStopped = isStopped()
        try note(SweepResult(), runID: runID, finishedAt: result.wasStopped ? nil : now)
        return result
    }

    /// The tokens of one state, and the statement that changes them.
    private struct Step {
        let statement: SQLFile
        let state: TokenState
        let before: Instant
        let count: WritableKeyPath<SweepResult, Int64>

        /// Retiring comes first: a token that becomes stale in this run must stay stale for the app's period.
        static func all(_ rules: SweepRules, now: Instant) -> [Step] {
            let silentBefore = rules.silentBefore(now)
            return [
                Step(
                    statement: .Tokens.retireStale, state: .stale, before: rules.staleBefore(now),
                    count: \.retiredCount),
                Step(
                    statement: .Tokens.markStale, state: .active, before: silentBefore, count: \.staleCount),
                Step(
                    statement: .Tokens.markStale, state: .suspect, before: silentBefore, count: \.staleCount),
            ]
        }
    }

    private struct Batch {
        let changedCount: Int64
        /// The last token that was read; `nil` if none was left.
        let furthest: Int64?
    }

    /// Runs one batch and records it, in one transaction.
    private func change(
        _ step: Step, now: Instant, runID: Int64, after last: Int64, atMost size: Int64
    ) throws -> Batch {
        try connection.batch {
            let row = try connection.query(
                step.statement,
                [
                    .value(appID), .value(step.before), .value(now), .value(runID), .value(size),
                    .value(last), .value(step.state.rawValue), .value(stride),
                ]
            ).single()
            let batch = Batch(
                changedCount: try row.get("changed_count"), furthest: try row.getOptional("furthest"))
            // A batch that changed nothing need not wait for the disk.
            guard batch.changedCount > 0 else { return batch }
            var changed = SweepResult()
            changed[keyPath: step.count] = batch.changedCount
            try note(changed, runID: runID, finishedAt: nil)
            return batch
        }
    }

    private func note(_ changed: SweepResult, runID: Int64, finishedAt: Instant?) throws {
        try connection.query(
            .Tokens.progressRun,
            [
                .value(runID), .value(changed.staleCount), .value(changed.retiredCount), .value(Int64(0)),
                .value(finishedAt),
            ])
    }
}

/// The result of a sweep.
public struct SweepResult: Hashable, Sendable {
    public var staleCount: Int64 = 0
    public var retiredCount: Int64 = 0
    /// Tokens that had expired.
    public var expiredCount: Int64 = 0
    /// The sweep was stopped between two batches; the next run does the rest.
    public var wasStopped = false

    public init() {}
}

public enum SweepError: Error, Equatable, Sendable {
    case refused(SweepRefusal)
}

extension SweepPlan.Group {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            rule: try row.get("step"), from: try row.get("from_state"), cause: try row.getOptional("cause"),
            silentDays: try row.get("silent_days"), tokenCount: try row.get("token_count"))
    }
}
