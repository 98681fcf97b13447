internal import ChildPrograms
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import Instants
internal import SeededRandom

/// One stage: its own private database, filled, and its own server.
///
/// Resources are closed in reverse order, also after an error: the server, the connections to the database, the folder.
struct StageMeasurement: Sendable {
    private let settings: BenchSettings
    private let stage: Stage
    private let program: URL

    init(_ settings: BenchSettings, _ stage: Stage, _ program: URL) {
        self.settings = settings
        self.stage = stage
        self.program = program
    }

    func run() async throws -> StageReport {
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            note("\(stage.name): starting a private PostgreSQL in \(folder.url.path)")
            let cluster = try folder.startDatabase(isDurable: true)
            return try await ending({ try folder.end(cluster) }) {
                try await measure(try BenchDatabase(cluster, dataFolder: folder.url), in: folder.url)
            }
        }
    }

    private func measure(_ database: BenchDatabase, in folder: URL) async throws -> StageReport {
        var random = SeededRandom(seed: 1)
        let now = Instant.now
        let devices = (0..<settings.devices).map { _ in BenchDevice(now: now, &random) }
        note("registering \(grouped(devices.count)) devices, loading \(grouped(stage.rows)) rows")
        let preparation = try await measuring { try await database.prepare(devices, rows: stage.rows) }
        note("prepared in \(Int(preparation.rounded())) s")
        let traffic = StageTraffic(settings, to: devices, now: now, &random)
        // The load stands for many clients, but comes from one address.
        let variables = ["LANDFALL_LIMITS_CONNECTIONS_PER_ADDRESS": "\(settings.overload.connections * 2)"]
        let server = try await ServerProgram.start(program, dataFolder: folder, variables: variables)
        return try await ending({ server.stop() }) {
            let rounds = try await measure(server, traffic, database, in: folder)
            return StageReport(
                stage, postgres: try database.serverVersion(), preparationSeconds: preparation, rounds)
        }
    }

    private func measure(
        _ server: ServerProgram, _ traffic: StageTraffic, _ database: BenchDatabase, in folder: URL
    ) async throws -> Rounds {
        let measurement = try ServerMeasurement(
            settings, server: server, wrk: try Wrk(folder: folder), database: database, folder: folder)
        var rounds = Rounds()
        rounds.bulk = try await measureBulk(measurement, traffic.bulk, database)
        try database.settleAfterBulk()
        for singles in traffic.singles {
            rounds.single.append(try await measurement.measure(Array(singles)))
        }
        var overload = try OverloadMeasurement(
            settings.overload, traffic.overload, server: server, database: database)
        for _ in 0..<settings.rounds { rounds.overload.append(try overload.measure()) }
        return rounds
    }

    private func measureBulk(
        _ server: ServerMeasurement, _ traffic: [BulkRound], _ database: BenchDatabase
    ) async throws -> [Rounds.Bulk] {
        let writer = try await WriterMeasurement(database)
        return try await ending({ try await writer.close() }) {
            let statements = StatementMeasurement(database, connections: settings.writers)
            return try await ending({ try await statements.close() }) {
                var rounds: [Rounds.Bulk] = []
                for bulk in traffic { rounds.append(try await round(bulk, server, writer, statements)) }
                return rounds
            }
        }
    }

    /// Measures one round. The recorded statements must be sent in the same order, because later statements build on rows that
    /// earlier ones wrote.
    private func round(
        _ bulk: BulkRound, _ server: ServerMeasurement, _ writer: WriterMeasurement,
        _ statements: StatementMeasurement
    ) async throws -> Rounds.Bulk {
        let served = try await server.measure(bulk.compared)
        let deaths = try await server.measureDeaths(bulk)
        let written = try await writer.measure(bulk.compared)
        let sent = try await statements.measure(written.recording, of: bulk.compared)
        let concurrent = try await statements.measure(
            try await writer.record(bulk.concurrent, writers: settings.writers), of: bulk.concurrent,
            connections: settings.writers)
        let costs = try await statements.measureCosts(
            try await writer.record(bulk.timed, writers: 1), of: bulk.timed)
        return Rounds.Bulk(
            server: served, deaths: deaths, reading: written.reading, writer: written.writing,
            statements: sent,
            concurrentStatements: concurrent, costs: costs, receipts: await ReceiptMeasurement.measure())
    }
}
