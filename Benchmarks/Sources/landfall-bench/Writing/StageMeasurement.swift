internal import ChildPrograms
internal import DeliveryModel

/// One stage: its own private database, filled, and its own server.
struct StageMeasurement: Sendable {
    let settings: BenchSettings
    /// Notifications in the database when the measurement begins.
    let rows: Int

    func run() async throws -> StageReport {
        try await BenchDatabase.with { try await measure($0) }
    }

    private func measure(_ database: BenchDatabase) async throws -> StageReport {
        var random = SeededRandom(seed: 1)
        let now = Instant.now
        let devices = (0..<settings.devices).map { _ in BenchDevice(now: now, &random) }
        note("registering \(grouped(devices.count)) devices, loading \(grouped(rows)) rows")
        let preparation = try await measuring { try await database.prepare(devices, rows: rows) }
        note("prepared in \(Int(preparation.rounded())) s")
        let traffic = StageTraffic(settings, to: devices, now: now, &random)
        // The load stands for many clients, but comes from one address.
        let variables = ["LANDFALL_LIMITS_CONNECTIONS_PER_ADDRESS": "\(settings.overloadConnections * 2)"]
        return try await BenchServer.on(database, variables: variables) { server in
            let measurement = ServerMeasurement(settings: settings, server: server)
            let bulk = try await measureBulk(measurement, traffic.bulk, database)
            var figures = bulk.figures
            try database.settleAfterBulk()
            for singles in traffic.singles { figures += try await measurement.measure(Array(singles)) }
            for _ in 0..<settings.rounds {
                figures += try await measurement.measureOverload(traffic.overload)
            }
            return StageReport(
                rows: rows, postgres: try database.serverVersion(), preparationSeconds: preparation, figures,
                statementCosts: bulk.costs)
        }
    }

    private func measureBulk(
        _ server: ServerMeasurement, _ traffic: [BulkRound], _ database: BenchDatabase
    ) async throws -> (figures: [Figure], costs: [StatementCost]) {
        let writer = try await WriterMeasurement(database)
        return try await ending({ try await writer.close() }) {
            let statements = StatementMeasurement(database, connections: settings.writers)
            return try await ending({ try await statements.close() }) {
                var figures: [Figure] = []
                var (responses, arrivals) = (StatementCosts(), StatementCosts())
                for bulk in traffic {
                    figures += try await round(bulk, server, writer, statements)
                    let timed = try await writer.record(bulk.timed, writers: 1)
                    responses.add(
                        try await statements.measureCosts(of: timed.responses),
                        events: bulk.timed.responses.eventCount)
                    arrivals.add(
                        try await statements.measureCosts(of: timed.arrivals),
                        events: bulk.timed.arrivals.eventCount)
                }
                return (figures, StatementCost.all(responses: responses, arrivals: arrivals))
            }
        }
    }

    /// Measures one round. The recorded statements must be sent in the same order, because later statements
    /// build on rows that earlier ones wrote.
    private func round(
        _ bulk: BulkRound, _ server: ServerMeasurement, _ writer: WriterMeasurement,
        _ statements: StatementMeasurement
    ) async throws -> [Figure] {
        let served = try await server.measure(bulk)
        let written = try await writer.measure(bulk.compared)
        let sent = try await statements.measure(written.recording, of: bulk.compared)
        let concurrent = try await statements.measure(
            try await writer.record(bulk.concurrent, writers: settings.writers), of: bulk.concurrent,
            connections: settings.writers)
        return served + written.figures + sent + concurrent + [await ReceiptMeasurement.measure()]
    }
}
