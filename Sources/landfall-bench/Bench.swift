internal import ChildPrograms
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import Ingestion

/// The whole benchmark unattended.
///
/// What was begun last is ended first, whatever happens: the server, our use of the database, the folder.
struct Bench: Sendable {
    let settings: BenchSettings

    func run() async throws -> BenchReport {
        let load = Machine.currentLoad()
        let program = try BenchServer.executable()
        guard Wrk.isInstalled else { throw BenchProblem.noWrk }
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            try await run(program, in: folder, load)
        }
    }

    private func run(
        _ program: URL, in folder: ThrowawayFolder, _ load: Double?
    ) async throws -> BenchReport {
        let compiler = try await Machine.swiftVersion(scratch: folder.url)
        note("starting a private PostgreSQL in \(folder.url.path)")
        let cluster = try folder.startDatabase(isDurable: true)
        return try await ending({ try folder.end(cluster) }) {
            let database = try BenchDatabase(cluster, dataFolder: folder.url)
            let machine = Machine(postgres: try database.serverVersion(), swift: compiler, load: load)
            return try await measure(machine, program, database, in: folder.url)
        }
    }

    private func measure(
        _ machine: Machine, _ program: URL, _ database: BenchDatabase, in folder: URL
    ) async throws -> BenchReport {
        let traffic = try await prepare(database)
        let wrk = try Wrk(folder: folder)
        let server = try await BenchServer.start(program, dataFolder: folder)
        return try await ending({ server.stop() }) {
            let measurement = try ServerMeasurement(
                settings, server: server, wrk: wrk, database: database, folder: folder)
            let rounds = try await measure(measurement, traffic, database)
            return BenchReport(machine, settings, rounds, serverPeakMemory: server.peakMemory)
        }
    }

    private func prepare(_ database: BenchDatabase) async throws -> Traffic {
        note("registering \(grouped(settings.devices)) devices")
        var random = SeededRandom(seed: 1)
        let now = Instant.now
        let devices = (0..<settings.devices).map { _ in BenchDevice(now: now, &random) }
        try await database.prepare(devices)
        let bulk = BenchNotification.many(settings.bulkNotifications, to: devices, now: now, &random)
        let singles = BenchNotification.many(settings.singleNotifications, to: devices, now: now, &random)
        return Traffic(
            bulk: BulkTraffic.rounds(bulk, settings: settings), singles: singles.parts(settings.rounds))
    }

    private func measure(
        _ server: ServerMeasurement, _ traffic: Traffic, _ database: BenchDatabase
    ) async throws -> Rounds {
        var rounds = Rounds()
        rounds.bulk = try await measureBulk(server, traffic.bulk, database)
        for singles in traffic.singles { rounds.single.append(try await server.measure(Array(singles))) }
        return rounds
    }

    private func measureBulk(
        _ server: ServerMeasurement, _ traffic: [BulkTraffic], _ database: BenchDatabase
    ) async throws -> [Rounds.Bulk] {
        let writer = try await WriterMeasurement(database)
        return try await ending({ try await writer.close() }) {
            let statements = StatementMeasurement(database)
            return try await ending({ try await statements.close() }) {
                var rounds: [Rounds.Bulk] = []
                for bulk in traffic { rounds.append(try await round(bulk, server, writer, statements)) }
                return rounds
            }
        }
    }

    private func round(
        _ bulk: BulkTraffic, _ server: ServerMeasurement, _ writer: WriterMeasurement,
        _ statements: StatementMeasurement
    ) async throws -> Rounds.Bulk {
        let served = try await server.measure(bulk)
        let written = try await writer.measure(bulk)
        let sent = try await statements.measure(written)
        return Rounds.Bulk(
            server: served, reading: written.reading, writer: written.writing, statements: sent)
    }

    private struct Traffic {
        let bulk: [BulkTraffic]
        let singles: [ArraySlice<BenchNotification>]
    }
}
