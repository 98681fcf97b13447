internal import Basics

/// Measures the cost of an item by the size of its request, and the cost of a new app's first hour. No table
/// is ever analyzed, because a new database has no statistics until autovacuum runs.
struct GrowthBench: Sendable {
    let settings: GrowthBenchSettings

    func run() async throws -> GrowthBenchReport {
        try BenchServer.check()
        var random = SeededRandom(seed: 1)
        var postgres = ""
        // Each kind has a database of its own, so that none benefits from the rows of another.
        note("measuring first contact")
        let unknown = try await inNewDatabase { measurement async throws in
            postgres = try measurement.server.database.serverVersion()
            return try await measurement.measureFirstContact(.unknownTokens, &random)
        }
        let registered = try await inNewDatabase { measurement async throws in
            try await measurement.measureFirstContact(.registeredTokens, &random)
        }
        note("measuring a release day")
        let release = try await inNewDatabase { measurement async throws in
            try await measurement.measureReleaseDay(&random)
        }
        let rows = try await inNewDatabase { measurement async throws in
            try await measurement.measureSizes(&random)
        }
        return GrowthBenchReport(
            machine: Machine(postgres: postgres), settings: settings, rows: rows,
            firstContact: .init(unknown: unknown, registered: registered), release: release)
    }

    private func inNewDatabase<Value: Sendable>(
        _ measure: (GrowthMeasurement) async throws -> Value
    ) async throws -> Value {
        try await BenchDatabase.with(settings: ["autovacuum": "off"]) { database in
            try await BenchServer.on(database) { server in
                try await measure(GrowthMeasurement(settings: settings, server: server))
            }
        }
    }
}
