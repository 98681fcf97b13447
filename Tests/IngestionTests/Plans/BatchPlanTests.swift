import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// The cost of an item must not depend on the number of items next to it. The planner does not know how many
/// there are, and there may be no statistics, so the shape of each statement must ensure that no item is
/// compared with all others.
@Suite(.database) struct BatchPlanTests {
    @Test(
        "a batch of 10,000 items of every kind and the next of their devices, on a database without statistics, cross no two sets"
    )
    func sentStatements() async throws {
        let (pool, sent) = batchPool()
        let traffic = BatchTraffic()
        let phones = (0..<1_500).map { _ in BatchTraffic.Phone() }
        let strangers = (0..<2_000).map { _ in BatchTraffic.Phone() }
        let taxonomy = try await pool.withConnection { connection in
            try traffic.importTable(of: phones, on: connection)
            // Devices that change hands, and tokens that are replaced.
            let other = zip(phones, phones.dropFirst()).prefix(200).map {
                BatchTraffic.Phone(deviceID: $0.deviceID, value: $1.value)
            }
            try traffic.importTable(of: other, on: connection)
            return try RejectionTaxonomy(from: connection)
        }
        let writer = DeliveryWriter(
            pool: pool, vault: traffic.vault, taxonomy: taxonomy, firstShard: 0, logger: Logger(label: "test")
        )
        let message = MessageStory.id(createdAt: traffic.now)
        let kinds = BatchTraffic.Kind.allCases
        let addressed = (0..<9_900).map { number in
            (
                number % 2 == 0 ? phones[number % phones.count] : strangers[number % strangers.count],
                kinds[number % kinds.count]
            )
        }
        let responses = addressed.map { phone, kind in traffic.response(kind, to: phone, message: message) }
        let rejected = (0..<100).map(BatchTraffic.rejectedItem)
        _ = try await writer.write(responses.map(BatchTraffic.item) + rejected)
        let reports = zip(responses, addressed).flatMap { event, to in
            [
                traffic.report(.arrival, about: event, by: to.0),
                traffic.report(.click, about: event, by: to.0),
            ]
        }
        _ = try await writer.write(reports.prefix(10_000).map(BatchTraffic.item))
        // Device events that nothing confirms yet, and repeats.
        _ = try await writer.write((reports.suffix(2_000) + reports.prefix(500)).map(BatchTraffic.item))
        try await pool.withConnection { connection in
            let devices = strangers.prefix(300)
            for phone in devices {
                var registration = Registration(deviceID: phone.deviceID, registeredAt: traffic.now)
                registration.tokens = [traffic.address(phone.value)]
                let posted = registration
                let registered = try connection.transaction {
                    try DeviceRegistry(vault: traffic.vault)
                        .register(posted, appID: firstApp, now: traffic.now, on: connection)
                }
                try WaitingMessages().claim(registered.tokens.compactMap(\.tokenID), on: connection)
            }
        }
        let files = Set(sent.all.map(\.file)).subtracting([.Administration.findRowType])
        #expect(files.count > 40)
        try await pool.withConnection { connection in
            try PlanNode.prepare(connection)
            for file in files.sorted(by: { $0.name < $1.name }) {
                let execute = #"EXECUTE "\#(file.name)"\#(Self.arguments(of: file))"#
                expectNoCrossings(in: try PlanNode.explain(execute, on: connection), of: file)
            }
        }
        try await pool.close()
        try await planAll()
    }

    @Test("no statement about a batch crosses two sets if it is planned while all tables are empty")
    func emptyTables() async throws {
        try await planAll()
    }

    /// Plans every statement about batches in a new session, as a server that starts now does.
    private func planAll() async throws {
        let files = Self.batchStatements
        #expect(files.count > 80)
        let (pool, _) = batchPool()
        try await pool.withConnection { connection in
            try PlanNode.prepare(connection)
            for file in files {
                let prepare = "PREPARE planned\(Self.types[file.name] ?? "") AS \(file.text)"
                try connection.execute(script: SQLFile(name: "test/prepare", text: prepare))
                let execute = "EXECUTE planned\(Self.arguments(of: file))"
                expectNoCrossings(in: try PlanNode.explain(execute, on: connection), of: file)
                try connection.execute(script: SQLFile(name: "test/deallocate", text: "DEALLOCATE planned"))
            }
        }
        try await pool.close()
    }

    /// Nulls, because the plan does not depend on them; but without its bounds, a statement would read no
    /// partition.
    private static func arguments(of file: SQLFile) -> String {
        var arguments = Array(repeating: "NULL", count: file.parameterCount)
        if file.text.contains("BETWEEN $4 AND $5") {
            arguments.replaceSubrange(3...4, with: ["'-infinity'", "'infinity'"])
        }
        return arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    }

    private func expectNoCrossings(in plan: PlanNode, of file: SQLFile) {
        guard !Self.boundedStatements.contains(file.name) else { return }
        for crossing in plan.crossings { Issue.record("\(file.name): \(crossing)") }
    }

    /// Connections like those of a server for batches; one, so that all plans are in one session.
    private func batchPool() -> (PostgresPool, SentStatements) {
        let sent = SentStatements()
        var configuration = TestDatabase.current.configuration(size: 1)
        configuration.plansOnce = true
        configuration.statementObserver = { sent.note($0) }
        return (PostgresPool(configuration, logger: Logger(label: "test")), sent)
    }

    // MARK: - The statements

    /// Ingestion, maintenance, quarantine and the life of tokens are about batches, with exceptions.
    private static let batchStatements: [SQLFile] = SQLFile.all.filter { file in
        ["ingestion/", "maintenance/", "quarantine/", "tokens/"].contains { file.name.hasPrefix($0) }
            && !others.contains(file)
    }

    /// Statements that are not about batches: reports, and those that read a day or a whole table once, or
    /// PostgreSQL's own tables.
    private static let others: Set<SQLFile> = [
        .Maintenance.archivedRows, .Maintenance.archivedStates, .Maintenance.buildQuarterSketches,
        .Maintenance.buildSpanSketches, .Maintenance.createSketchExtension,
        .Maintenance.findSketchExtension, .Maintenance.growth, .Maintenance.keptMonths,
        .Maintenance.listPartitions, .Maintenance.occupiedDays, .Maintenance.packableDays,
        .Maintenance.staleSketchDays, .Tokens.adoptTransitions,
        .Tokens.closeBreakers, .Tokens.falseDeaths, .Tokens.findZombies, .Tokens.hasForeignTransitions,
        .Tokens.installationMoves, .Tokens.installationsAsOf, .Tokens.listBreakers,
        .Tokens.othersAtWork,
        .Tokens.pastSweeps, .Tokens.planAudience, .Tokens.planSweep, .Tokens.registrationFailures,
        .Tokens.tokenMoves, .Tokens.tokensAsOf,
    ]

    /// Statements whose arrays do not grow with the batch: they are about apps, four states, or 50 groups at
    /// most.
    private static let boundedStatements: Set<String> = [
        SQLFile.Tokens.countRejectedPeers.name, SQLFile.Tokens.usualRejections.name,
        SQLFile.Ingestion.readVolumes.name, SQLFile.Tokens.findPassedPositions.name,
        SQLFile.Tokens.pageTokens.name,
    ]

    /// The types of parameters that PostgreSQL cannot infer. The programs pass them.
    private static let types = [
        SQLFile.Tokens.closeBreakers.name: "(bigint, text, text, timestamptz)",
        SQLFile.Tokens.decideHeld.name:
            "(bigint, text, text, text, text, timestamptz, bigint, bigint, bigint)",
        SQLFile.Tokens.lockBreakersOfApp.name: "(bigint, text, text)",
        SQLFile.Tokens.findRestorable.name: "(bigint, text, timestamptz, text, text)",
        SQLFile.Tokens.upsertInstallation.name:
            "(bigint, uuid, text, text, text, text, text, text, text, text[], timestamptz, boolean, bytea, bigint, text, text[], "
            + "text, text[], boolean)",
    ]
}
