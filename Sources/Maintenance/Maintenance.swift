internal import Ingestion
public import PostgresClient

/// Everything a database needs from time to time: creates partitions ahead, drops days past the
/// retention, keeps quarantines within their limits, assigns messages to installations that have
/// registered their tokens since, folds old counters, sketches reach and packs old days.
///
/// Every step is idempotent and consists of short transactions, so that a run can be stopped at any
/// time and run again, and no client waits for it (docs/decisions/0013).
public struct Maintenance: Sendable {
    private let settings: MaintenanceSettings

    public init(_ settings: MaintenanceSettings = MaintenanceSettings()) {
        self.settings = settings
    }

    /// Runs all steps, under a lock that only one program can hold.
    ///
    /// - Parameters:
    ///   - now: `nil` for PostgreSQL's clock. A server's own clock is never used here: it may be
    ///     wrong, and dropped rows cannot be brought back.
    ///   - packs: whether days are packed, too.
    ///   - isStopped: called between transactions; `true` ends the run cleanly.
    /// - Throws: `LockTaken`, `PostgresError`. What was done before stays done.
    public func run(
        now: Instant? = nil, packs: Bool = true, on connection: PostgresConnection,
        isStopped: () -> Bool = { false }
    ) throws -> MaintenanceReport {
        try connection.withLock(.maintenance) { _ in
            let now = try now ?? connection.clock()
            var report = try runAll(now: now, on: connection, isStopped: isStopped)
            if packs {
                try DayPacking(settings: settings, connection: connection)
                    .pack(now: now, report: &report, isStopped: isStopped)
            }
            return report
        }
    }

    /// Builds all sketches that are missing or outdated, under the same lock. Builds none if the
    /// database lacks the extension `hll` (``SketchExtension``).
    ///
    /// - Throws: `LockTaken`, `PostgresError`. What was built before stays built.
    public func sketch(
        now: Instant, on connection: PostgresConnection, isStopped: () -> Bool = { false }
    ) throws -> MaintenanceReport.Sketched {
        try connection.withLock(.maintenance) { _ in
            try ReachSketching(connection: connection).build(now: now, days: .max, isStopped: isStopped)
        }
    }

    /// Only folds counters, under the same lock.
    ///
    /// - Parameter before: `nil` for those that have reached the age of ``MaintenanceSettings/foldAfter`` by
    ///   PostgreSQL's clock.
    /// - Throws: `LockTaken`, `PostgresError`. What was folded until then stays folded.
    @discardableResult
    public func fold(
        before: Instant? = nil, on connection: PostgresConnection, isStopped: () -> Bool = { false }
    ) throws -> [MaintenanceReport.Folded] {
        try connection.withLock(.maintenance) { _ in
            let before = try before ?? connection.clock() - settings.foldAfter
            return try fold(allBefore: before.startOfQuarter, on: connection, isStopped: isStopped)
        }
    }

    private func runAll(
        now: Instant, on connection: PostgresConnection, isStopped: () -> Bool
    ) throws -> MaintenanceReport {
        var report = MaintenanceReport()
        let retention = RetentionKeeper(settings: settings, connection: connection)
        try retention.makeAhead(now: now, report: &report)
        try retention.dropTroubles(now: now, isStopped: isStopped)
        try retention.dropOld(now: now, report: &report, isStopped: isStopped)
        if !isStopped() {
            report.itemsEvicted = try connection.batch {
                try QuarantineEviction(limits: settings.quarantine).makeRoom(on: connection)
            }
        }
        report.messagesClaimed = try WaitingMessages().claimAll(on: connection, isStopped: isStopped)
        report.folded = try fold(
            allBefore: (now - settings.foldAfter).startOfQuarter, on: connection, isStopped: isStopped)
        report.sketched = try ReachSketching(connection: connection).build(
            now: now, days: settings.sketchedDays, isStopped: isStopped)
        report.wasStopped = isStopped()
        if !report.wasStopped { try connection.query(.Maintenance.noteMaintained, [.value(now)]) }
        return report
    }

    private static let counters: [(table: String, folding: SQLFile)] = [
        ("counter_live", .Maintenance.foldCounters), ("latency_rollup", .Maintenance.foldLatencyRollup),
        ("intake_rollup", .Maintenance.foldIntakeRollup), ("version_rollup", .Maintenance.foldVersionRollup),
    ]

    /// Folds old counters into one row, not one per writer. Rows locked by a writer wait for the next run.
    private func fold(
        allBefore instant: Instant, on connection: PostgresConnection, isStopped: () -> Bool
    ) throws -> [MaintenanceReport.Folded] {
        try Self.counters.map { table, folding in
            let rows = try connection.inBatches(folding, before: instant, isStopped: isStopped)
            return MaintenanceReport.Folded(table: table, rows: rows)
        }
    }
}
