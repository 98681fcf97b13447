internal import ChildPrograms
internal import DeliveryModel
internal import PostgresClient

/// Measures a sweep of many tokens, compared with one plain statement for the same rows in
/// the same database, and during ingestion.
struct SweepBench: Sendable {
    let settings: SweepBenchSettings

    private static let tokensAtOnce = 50_000

    func run() async throws -> SweepBenchReport {
        try BenchServer.check()
        return try await BenchDatabase.with { try await measure($0) }
    }

    private func measure(_ database: BenchDatabase) async throws -> SweepBenchReport {
        var random = SeededRandom(seed: 1)
        let now = Instant.now
        let devices = (0..<settings.devices).map { _ in BenchDevice(now: now, &random) }
        note("registering \(grouped(settings.tokens)) tokens")
        let preparation = try await measuring { try await fill(database, devices, now: now) }
        note("prepared in \(Int(preparation.rounded())) s")
        let notifications = BenchNotification.many(20_000, to: devices[...], now: now, &random)
            .filter(\.isAccepted)
        return try await BenchServer.on(database) { server in
            let measurement = try SweepMeasurement(settings, notifications, server: server, now: now)
            let plainRetiring = try measurement.measurePlain(.retiring)
            let plainMarking = try measurement.measurePlain(.marking)
            let without = try await measurement.measureIngestion()
            let retiring = try measurement.measureRetiring()
            let latency = try await measurement.measureIngestionAndSweep(without: without)
            return SweepBenchReport(
                machine: Machine(postgres: try database.serverVersion()), settings: settings,
                preparationSeconds: preparation,
                retiring: .init(plain: plainRetiring, sweep: retiring),
                marking: .init(plain: plainMarking, sweep: try measurement.measureMarking()), latency: latency
            )
        }
    }

    private func fill(_ database: BenchDatabase, _ devices: [BenchDevice], now: Instant) async throws {
        let pool = database.pool(.forServer, size: 2, plansOnce: false)
        let (appID, count) = (database.appID, settings.tokens)
        try await ending({ try await pool.close() }) {
            let filling = DatabaseFilling(appID: appID, vault: database.vault, pool: pool)
            try await filling.register(devices)
            let parts = stride(from: 0, to: count, by: Self.tokensAtOnce).map {
                $0..<min($0 + Self.tokensAtOnce, count)
            }
            try await pool.each(parts) { connection, part in
                try connection.query(
                    .Bench.loadSweepTokens,
                    [
                        .value(appID), .value(BenchDevice.topic), .value(now),
                        .value(Int64(part.lowerBound)), .value(Int64(part.count)),
                    ])
            }
        }
        try database.connection(to: .forServer).execute(script: .Bench.settle)
    }
}
