import Access
import ArgumentParser
import Doctor
import PostgresClient
import Simulation
import TestDatabase
import Testing

@testable import Dashboards
@testable import Rendering

@Suite("landfall doctor where nothing is wrong", .databaseForLong)
struct HealthyDayTests {
    @Test(
        "finds nothing on healthy days, at every hour of the last two", .timeLimit(.minutes(40)),
        arguments: [1, 2, 3] as [UInt64])
    func healthy(seed: UInt64) async throws {
        var history = SimulatedHistory(.healthy)
        history.seed = seed
        let app = try await history.write()
        for hoursAgo in 0..<48 as Range<Int64> {
            let report = try await DoctorScenarioTests.report(on: app, hoursAgo: hoursAgo)
            #expect(
                report.patients.flatMap(\.findings).map(\.sentence) == [],
                "seed \(seed), \(hoursAgo) hours ago")
        }
        let report = try await DoctorScenarioTests.report(on: app)
        // The doctor examined everything before it said so.
        let unjudged = report.patients.flatMap(\.checkups).filter { checkup in
            if case .judged = checkup.examined { return false }
            return true
        }
        #expect(unjudged.map(\.subject) == ["quotas of devices", "accounts of devices", "sweep"])
        #expect(report.lines(DoctorPaper.style).contains("All is well."))
        if seed == 1 { try DoctorPaper.expect(report.lines(DoctorPaper.style), as: "healthy") }
    }

    @Test("says that there is nothing to examine in an empty database")
    func empty() async throws {
        let report = try await TestDatabase.current.pool.withConnection {
            try DoctorReport.run(for: [], on: $0, now: SimulatedHistory.end)
        }
        #expect(report.isEmpty)
        #expect(report.patients.isEmpty)
        let lines = report.lines(DoctorPaper.style)
        #expect(lines.contains { $0.hasPrefix("Nothing to examine: there is no app yet") })
    }

    @Test("says that there is nothing to examine in an app without traffic")
    func unusedApp() async throws {
        let app = try await TestDatabase.current.pool.withConnection {
            try AppDirectory($0).createApp(slug: "shop", at: SimulatedHistory.end - .days(300))
        }
        let report = try await DoctorScenarioTests.report(on: app)
        #expect(report.isEmpty)
        #expect(report.patients.flatMap(\.findings).isEmpty)
        let lines = report.lines(DoctorPaper.style)
        #expect(lines.contains { $0.hasPrefix("Nothing to examine: nothing was sent") })
    }
}
