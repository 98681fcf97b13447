internal import ChildPrograms
internal import DeliveryModel
internal import PostgresClient
internal import Synchronization
internal import TokenLifecycle

/// The parts of the measurement. Call them in this order: each leaves less to sweep.
struct SweepMeasurement {
    /// A change that a sweep makes to tokens.
    enum Step: Sendable {
        case retiring
        case marking
    }

    private let settings: SweepBenchSettings
    private let database: BenchDatabase
    private let connection: PostgresConnection
    private let server: BenchServer
    private let requests: RequestFile
    private let rules: SweepRules
    private let now: Instant

    init(
        _ settings: SweepBenchSettings, _ notifications: [BenchNotification], server: BenchServer,
        now: Instant
    ) throws {
        self.settings = settings
        self.server = server
        database = server.database
        self.now = now
        connection = try database.connection(to: .forServer)
        let bodies = notifications.flatMap { [$0.response, $0.arrival] }.map(PostedBody.init(single:))
        requests = try server.file(bodies)
        var rules = SweepRules()
        // The benchmark sweeps a fifth of the audience, which the default limit would prevent.
        rules.maxShare = 1
        self.rules = rules
    }

    /// Measures one plain statement for the same rows, then rolls it back. The figure includes
    /// neither its commit nor rows for the ledger.
    func measurePlain(_ step: Step) throws -> Figure {
        struct TakenBack: Error {}
        let isRetiring = step == .retiring
        note("measuring the plain statement")
        try connection.execute(script: .Bench.checkpoint)
        var count: Int64 = 0
        var seconds = 0.0
        do {
            try connection.transaction {
                let start = ContinuousClock.now
                count = try connection.query(
                    isRetiring ? .Bench.plainRetire : .Bench.plainMark,
                    [
                        .value(database.appID),
                        .value(isRetiring ? rules.staleBefore(now) : rules.silentBefore(now)), .value(now),
                    ]
                ).single().get("changed_count")
                seconds = (ContinuousClock.now - start) / .seconds(1)
                throw TakenBack()
            }
        } catch is TakenBack {}
        try connection.execute(script: .Bench.settle)
        return Figure(
            isRetiring ? "plain_retire" : "plain_mark", "one UPDATE: \(isRetiring ? "retired" : "stale")",
            .tokens, count: Int(count), seconds: seconds)
    }

    /// Single events without a sweep, after a warm-up.
    func measureIngestion() async throws -> SweepBenchReport.Percentiles {
        note("measuring single events")
        _ = try await post(seconds: settings.warmUpSeconds)
        return .init(try await post(seconds: settings.seconds))
    }

    /// Retires half of the stale tokens while nothing else happens.
    func measureRetiring() throws -> Figure {
        note("measuring the sweep")
        try connection.execute(script: .Bench.checkpoint)
        var clock = SweepClock()
        var goal = Int64.max
        let result = try Sweep(appID: database.appID, on: connection).apply(
            rules, now: now, isStopped: { clock.last.retiredCount >= goal },
            planned: { plan in
                goal = plan.retiredCount / 2
                clock = SweepClock()
            }, progress: { clock.note($0) })
        return Figure(
            "sweep_retire", "sweep: retired", .tokens, count: Int(result.retiredCount), seconds: clock.seconds
        )
    }

    /// Sweeps the other half while single events are posted.
    func measureIngestionAndSweep(
        without: SweepBenchReport.Percentiles
    ) async throws -> SweepBenchReport.LatencyFigures {
        note("measuring single events during the sweep")
        // Start from cleaned tables, as a daily sweep does.
        try connection.execute(script: .Bench.settle)
        let clock = Mutexed(SweepClock())
        let (planned, signal) = AsyncStream<Void>.makeStream()
        let sweeping = Task.detached { [database, rules, now] in
            defer { signal.finish() }
            let connection = try database.connection(to: .forServer)
            return try Sweep(appID: database.appID, on: connection).apply(
                rules, now: now, isStopped: { Task.isCancelled },
                planned: { _ in
                    clock.withLock { $0 = SweepClock() }
                    signal.yield()
                }, progress: { result in clock.withLock { $0.note(result) } })
        }
        for await _ in planned { break }
        let stop = {
            sweeping.cancel()
            _ = try await sweeping.value
        }
        let outcome = try await ending(stop) { try await post(seconds: settings.seconds) }
        let result = try await sweeping.value
        let swept = clock.withLock { $0 }
        return .init(
            without: without, with: .init(outcome),
            sweep: Figure(
                "sweep_meanwhile", "sweep: during single events", .tokens,
                count: Int(swept.last.retiredCount + swept.last.staleCount), seconds: swept.seconds),
            sweptToTheEnd: !result.wasStopped, sweptSeconds: swept.seconds)
    }

    /// Sweeps the rest. Only the silent tokens count.
    func measureMarking() throws -> Figure {
        note("measuring the sweep's marking")
        try connection.execute(script: .Bench.checkpoint)
        var clock = SweepClock()
        var isMarking = false
        let result = try Sweep(appID: database.appID, on: connection).apply(
            rules, now: now,
            progress: { result in
                // The first batch of marking starts the clock, and does not count.
                if !isMarking, result.staleCount > 0 { clock = SweepClock() }
                isMarking = result.staleCount > 0
                clock.note(result)
            })
        return Figure(
            "sweep_mark", "sweep: stale", .tokens,
            count: max(0, Int(result.staleCount) - Int(Sweep.batchSize)), seconds: clock.seconds)
    }

    private func post(seconds: Int) async throws -> Wrk.Outcome {
        let load = Wrk.Load(
            requests: requests, connections: settings.connections, seconds: seconds, end: .atTimeLimit,
            pauseMilliseconds: settings.pauseMilliseconds)
        return try await server.send(load, "single events")
    }
}

/// The progress of a sweep, and its time in seconds.
private struct SweepClock {
    private let start = ContinuousClock.now
    private(set) var seconds = 0.0
    private(set) var last = SweepResult()

    mutating func note(_ result: SweepResult) {
        last = result
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }
}

/// A value that the sweep writes on one thread and the measurement reads on another.
private final class Mutexed<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}
