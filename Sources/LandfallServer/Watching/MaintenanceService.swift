internal import Access
internal import DeliveryModel
internal import Doctor
internal import Logging
internal import Maintenance
internal import People
internal import PostgresClient
internal import ServiceLifecycle
internal import Synchronization

/// Maintains the database when the server starts and about every hour from then on. It folds counters twelve
/// times as often, because reports read all that are not folded, and records as often what the doctor finds
/// (``FindingWatch``). Of several servers one does the work at a time; the others skip their turn.
///
/// A failure is logged, and the next turn tries again; it never ends the server. A graceful shutdown ends a
/// run after its current transaction.
struct MaintenanceService: Service {
    private static let foldsPerRun = 12

    let pool: PostgresPool
    let maintenance: Maintenance
    /// From the end of one run to the next, plus or minus a fifth, so servers started together spread out.
    var interval = Duration.seconds(3_600)
    let logger: Logger
    /// Called after each run and its findings; for tests.
    var afterEachRun: @Sendable () -> Void = {}

    func run() async {
        await cancelWhenGracefulShutdown {
            // A server that restarts repeatedly does not rewrite old days each time.
            var packs = false
            while !Task.isCancelled {
                await runOnce(packs: packs)
                packs = true
                await recordFindings()
                afterEachRun()
                for turn in 1...Self.foldsPerRun where !Task.isCancelled {
                    // If the task is canceled, both loops end.
                    try? await Task.sleep(for: interval / Self.foldsPerRun * Double.random(in: 0.8...1.2))
                    guard turn < Self.foldsPerRun else { continue }
                    await attempt { try maintenance.fold(on: $0, isStopped: $1) }
                    await recordFindings()
                }
            }
        }
    }

    private func recordFindings() async {
        await attempt { [logger] in try FindingWatch(logger: logger).look(on: $0, isStopped: $1) }
    }

    private func runOnce(packs: Bool) async {
        await attempt { connection, _ in
            try Sessions.removeExpired(now: .now, on: connection)
            let clock = try connection.clock()
            try Audit.removeOld(now: clock, on: connection)
            try FindingEpisodes.removeOld(now: clock, on: connection)
            try FindingMutes.removeExpired(now: clock, on: connection)
        }
        let report = await attempt { [maintenance] in
            try maintenance.run(packs: packs, on: $0, isStopped: $1)
        }
        guard let report else { return }
        logger.info("maintained", metadata: ["report": "\(report)"])
        if let held = report.held {
            logger.warning(
                "maintenance keeps days that retention.days would drop; landfall maintain --shorten-retention shows them",
                metadata: [
                    "days": "\(held.dayCount)", "reasons": "\(held.reasons.map(\.rawValue))",
                    "wanted_days": "\(held.wantedDays)", "stored_days": "\(held.storedDays)",
                ])
        }
        guard !report.daysPostponed.isEmpty else { return }
        logger.warning(
            "days older than the retention could not be dropped, because the table was in use; the next run tries again",
            metadata: ["days": "\(report.daysPostponed.map(\.rfc3339))"])
    }

    /// Runs work on a pool connection; it learns of cancellation. `nil` if it failed, which is logged.
    @discardableResult
    private func attempt<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection, () -> Bool) throws -> Value
    ) async -> Value? {
        let stop = StopFlag()
        do {
            return try await withTaskCancellationHandler {
                try await pool.withConnection { try work($0) { stop.isRaised.load(ordering: .relaxed) } }
            } onCancel: {
                stop.isRaised.store(true, ordering: .relaxed)
            }
        } catch {
            if error is CancellationError || error is LockTaken { return nil }
            logger.error("maintenance failed; the next run tries again", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

/// Tells a run on the pool's thread that its task was canceled.
private final class StopFlag: Sendable {
    let isRaised = Atomic<Bool>(false)
}

/// Examines every app as `landfall doctor` does, and records which findings begin, continue and are over. Of
/// several servers one does this at a time; the others skip their turn.
struct FindingWatch: Sendable {
    let logger: Logger

    /// If an app cannot be examined, that is logged, and the others are.
    ///
    /// - Parameter isStopped: called between apps; `true` ends the turn.
    /// - Throws: `LockTaken`; `PostgresError` if the connection can no longer be used.
    func look(on connection: PostgresConnection, isStopped: () -> Bool = { false }) throws {
        try connection.withLock(.findings) { _ in
            // In random order: an app that breaks the connection must not always delay the same others.
            for app in try AppDirectory(connection).apps().shuffled() where !isStopped() {
                do {
                    try examine(app, on: connection)
                } catch let error as PostgresError where error.movingApp != nil {
                    continue
                } catch let error where (error as? PostgresError)?.endsConnection != true {
                    logger.error(
                        "the findings of an app could not be recorded; the next turn tries again",
                        metadata: ["app": "\(app.slug)", "error": "\(error)"])
                }
            }
        }
    }

    /// Examines the app by PostgreSQL's clock, because the servers' clocks may differ.
    private func examine(_ app: App, on connection: PostgresConnection) throws {
        let examination = Examination(app: app, asOf: try connection.clock())
        let patient = try DoctorReport.examine(examination, on: connection)
        let report = DoctorReport(asOf: examination.asOf, hours: examination.hours, patients: [patient])
        try FindingEpisodes.record(report, now: examination.asOf, on: connection)
    }
}
