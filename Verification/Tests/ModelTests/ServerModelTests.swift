import DeliveryModel
import Foundation
import PostgresClient
import ReferenceModel
import Reports
import TestDatabase
import Testing

/// The same histories over HTTP, with several server programs on one database.
@Suite(.database, .oneCell("the soak makes its apps in one database")) struct ServerModelTests {
    @Test(
        "two server programs, one of them killed and replaced, record 40 random histories as one would",
        .timeLimit(.minutes(40)))
    func servers() async throws {
        let database = TestDatabase.current
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-model-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("landfall-server")
        let fleet = ServerFleet(executable, database: database.variables, dataFolder: folder)
        defer { fleet.stop() }
        for _ in 0..<2 { try await fleet.start() }

        let maker = HistoryMaker(now: .now, hasSkewedClocks: false)
        let intake = ServerIntake(pool: database.pool) { fleet.addresses }
        let outcome = try await intake.closing { intake in
            let soak = Soak(maker, to: intake, pool: database.pool, historiesAtOnce: 20)
            async let played = soak.run(seeds: 1..<41)
            while try await database.count("SELECT count(*) FROM landfall.delivery") == 0 {
                await Task.yield()
            }
            fleet.killOne()
            try await fleet.start()
            return try await played
        }

        if let failure = outcome.failure { Issue.record("\(failure)") }
        #expect(outcome.histories == 40)
        #expect(fleet.stop())
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == Int64(outcome.notifications))
    }
}
