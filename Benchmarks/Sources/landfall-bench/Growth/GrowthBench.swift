internal import ChildPrograms
internal import EmbeddedPostgres
internal import Foundation
internal import Instants
internal import SeededRandom

/// Measures the cost of an item by the size of its request, and the cost of a new app's first hour. No table is ever analyzed,
/// because a new database has no statistics until autovacuum runs.
struct GrowthBench: Sendable {
    let settings: GrowthBenchSettings

    func run() async throws -> GrowthBenchReport {
        let program = try ServerProgram.executable()
        guard Wrk.isInstalled else { throw BenchProblem.noWrk }
        var random = SeededRandom(seed: 1)
        var postgres = ""
        // Each kind has a database of its own, so that none benefits from the rows of another.
        note("measuring first contact")
        let unknown = try await inNewDatabase(program) { measurement async throws in
            postgres = try measurement.database.serverVersion()
            return try await measurement.measureFirstContact(.unknownTokens, &random)
        }
        let registered = try await inNewDatabase(program) { measurement async throws in
            try await measurement.measureFirstContact(.registeredTokens, &random)
        }
        note("measuring a release day")
        let release = try await inNewDatabase(program) { measurement async throws in
            try await measurement.measureReleaseDay(&random)
        }
        let rows = try await inNewDatabase(program) { measurement async throws in
            try await measurement.measureSizes(&random)
        }
        return GrowthBenchReport(
            machine: Machine(postgres: postgres), settings: settings, rows: rows,
            firstContact: .init(unknown: unknown, registered: registered), release: release)
    }

    private func inNewDatabase<Value: Sendable>(
        _ program: URL, _ measure: (GrowthMeasurement) async throws -> Value
    ) async throws -> Value {
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            let cluster = try folder.startDatabase(isDurable: true, settings: ["autovacuum": "off"])
            return try await ending({ try folder.end(cluster) }) {
                let database = try BenchDatabase(cluster, dataFolder: folder.url)
                let server = try await ServerProgram.start(program, dataFolder: folder.url)
                return try await ending({ server.stop() }) {
                    try await measure(
                        GrowthMeasurement(
                            settings: settings, server: server, wrk: try Wrk(folder: folder.url),
                            database: database, folder: folder.url))
                }
            }
        }
    }
}
