import Foundation
import KitTrials
import PostgresClient
import ReferenceModel
import Reports
import TestDatabase
import Testing

/// The kit, in programs that are killed, on a bad network, with a real server.
@Suite(.database, .oneCell("the soak makes its apps in one database")) struct KitTrialTests {
    @Test(
        "10,000 runs of extensions, most of them killed: what was on disk is recorded once, and nothing else",
        .timeLimit(.minutes(40)))
    func runs() async throws {
        let database = TestDatabase.current
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-kit-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let fleet = ServerFleet(
            programs.appendingPathComponent("landfall-server"), database: database.variables,
            dataFolder: folder)
        defer { fleet.stop() }
        try await fleet.start()

        let trial = KitTrial(
            seed: 1, phones: 50, notificationsPerPhone: 200, programs: programs,
            server: try #require(fleet.addresses.first), pool: database.pool)
        let outcome = try await trial.run(in: folder)

        #expect(outcome.troubles == [])
        #expect(outcome.lost == [])
        #expect(outcome.invented == [])
        #expect(Set(outcome.recorded).count == outcome.recorded.count)
        #expect(outcome.misdated == [])
        #expect(outcome.reported == outcome.expectedReport)
        #expect(outcome.runs >= 10_000)
        // The network was bad, and programs were killed before, while and after they wrote.
        #expect(outcome.faults.count == 8)
        #expect(outcome.expected.count < outcome.runs)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }
}
