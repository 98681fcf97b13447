internal import DeliveryModel
public import Logging
public import Maintenance
internal import PostgresClient
public import ServiceLifecycle
internal import Synchronization

/// Maintains the database when the server starts and then about every hour. On several servers, one run does the work and the
/// others skip it.
///
/// An error is logged, and the next run tries again; it never ends the server. A graceful shutdown ends a run after the
/// transaction in progress.
public struct MaintenanceService: Service {
    private let pool: PostgresPool
    private let maintenance: Maintenance
    private let interval: Duration
    private let logger: Logger
    private let afterEachRun: @Sendable () -> Void

    /// - Parameters:
    ///   - interval: from the end of one run to the next, plus or minus a fifth, so that servers that start together spread out.
    ///   - afterEachRun: for tests.
    init(
        pool: PostgresPool, settings: MaintenanceSettings, interval: Duration,
        logger: Logger, afterEachRun: @escaping @Sendable () -> Void = {}
    ) {
        self.pool = pool
        self.maintenance = Maintenance(settings)
        self.interval = interval
        self.logger = logger
        self.afterEachRun = afterEachRun
    }

    /// - Parameter backend: the backend whose database is maintained.
    public init(_ backend: Backend, settings: MaintenanceSettings, logger: Logger) {
        self.init(pool: backend.patientPool, settings: settings, interval: .seconds(3_600), logger: logger)
    }

    public func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await runOnce()
                afterEachRun()
                // If cancelled, the loop ends.
                try? await Task.sleep(for: interval * Double.random(in: 0.8...1.2))
            }
        }
    }

    private func runOnce() async {
        let stop = StopFlag()
        do {
            let report = try await withTaskCancellationHandler {
                try await pool.withConnection { [maintenance] connection in
                    try maintenance.run(on: connection, isStopped: { stop.isRaised })
                }
            } onCancel: {
                stop.raise()
            }
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
        } catch {
            guard !(error is CancellationError), error as? MaintenanceError != .someoneElseMaintains else {
                return
            }
            logger.error("maintenance failed; the next run tries again", metadata: ["error": "\(error)"])
        }
    }
}

/// Tells a run on the pool's thread that its task was cancelled.
private final class StopFlag: Sendable {
    private let flag = Mutex(false)

    var isRaised: Bool { flag.withLock { $0 } }

    func raise() { flag.withLock { $0 = true } }
}
