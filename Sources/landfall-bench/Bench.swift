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
        let folder = try ThrowawayFolder.create()
        return try await ending({ try folder.remove() }) {
            do {
                return try await run(program, in: folder.url, load)
            } catch {
                try folder.endDatabase()
                throw error
            }
        }
    }

    private func run(_ program: URL, in folder: URL, _ load: Double?) async throws -> BenchReport {
        let compiler = try await Machine.swiftVersion(scratch: folder)
        note("starting a private PostgreSQL in \(folder.path)")
        let cluster = try EmbeddedPostgres.startOrFind(dataFolder: folder)
        return try await ending({ try cluster.release() }) {
            let database = try BenchDatabase(cluster, dataFolder: folder)
            let machine = Machine(postgres: try database.serverVersion(), swift: compiler, load: load)
            return try await measure(machine, program, database, in: folder)
        }
    }

    private func measure(
        _ machine: Machine, _ program: URL, _ database: BenchDatabase, in folder: URL
    ) async throws -> BenchReport {
        let traffic = try await prepare(database)
        let (server, memory) = try await measureServer(program, traffic, database, in: folder)
        let (writer, recording) = try await WriterMeasurement.run(traffic.bulk, database)
        let statements = try await StatementMeasurement.run(recording, as: writer, database)
        return BenchReport(
            machine, settings, server: server, writer: writer, statements: statements,
            serverPeakMemory: memory)
    }

    private func prepare(_ database: BenchDatabase) async throws -> Traffic {
        note("registering \(grouped(settings.devices)) devices")
        var random = SeededRandom(seed: 1)
        let now = Instant.now
        let devices = (0..<settings.devices).map { _ in BenchDevice(now: now, &random) }
        try await database.prepare(devices)
        let bulk = BenchNotification.many(settings.bulkNotifications, to: devices, now: now, &random)
        let singles = BenchNotification.many(settings.singleNotifications, to: devices, now: now, &random)
        return Traffic(bulk: BulkTraffic(bulk, settings: settings), singles: singles)
    }

    private func measureServer(
        _ program: URL, _ traffic: Traffic, _ database: BenchDatabase, in folder: URL
    ) async throws -> (ServerMeasurement.Figures, peakMemory: Int?) {
        let wrk = try Wrk(folder: folder)
        let server = try await BenchServer.start(program, dataFolder: folder)
        return try await ending({ server.stop() }) {
            let measurement = try ServerMeasurement(
                settings, server: server, wrk: wrk, database: database, folder: folder)
            let figures = try await measurement.run(bulk: traffic.bulk, singles: traffic.singles)
            return (figures, server.peakMemory)
        }
    }

    private struct Traffic {
        let bulk: BulkTraffic
        let singles: [BenchNotification]
    }
}
