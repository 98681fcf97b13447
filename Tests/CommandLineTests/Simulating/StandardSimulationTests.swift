import DeliveryModel
import Doctor
import PostgresClient
import Reports
import Simulation
import TestDatabase
import Testing

/// The versions that report, on a day of `landfall simulate` with default settings, against the versions
/// actually installed. Some installations are updated to a version with an extension between a push and its
/// arrival.
@Suite("Versions that report, on the standard simulation", .databaseForLong)
struct StandardSimulationTests {
    @Test(
        "have the coverage, capable arrivals, losses and extension verdict that the simulation knows",
        .timeLimit(.minutes(40)), arguments: [true, false])
    func truth(namesVersions: Bool) async throws {
        var history = SimulatedHistory(.ordinary)
        (history.seed, history.phones, history.days, history.lateHours) = (3, 2_000, 1, 48)
        (history.slice, history.namesVersions) = (.minutes(15), namesVersions)
        let traffic = history.traffic
        let app = try await history.write(traffic)
        let (truth, accepted) = (traffic.truth.capable, Int64(traffic.truth.totals.accepted))
        let query = try ReportQuery(
            app: app, window: ReportWindow(from: history.start, to: SimulatedHistory.end), timeZone: .utc)
        let now = SimulatedHistory.end + .hours(48)

        let (funnel, loss, health, verification) = try await TestDatabase.current.pool.withConnection {
            (
                try FunnelReport.run(query, on: $0, now: now), try LossReport.run(query, on: $0, now: now),
                try ExtensionReport.run(query, on: $0, now: now), try Verification.run(on: $0)
            )
        }
        let estimate = try #require(funnel.context.arrivals?.totals)
        #expect(estimate.coverage == Proportion(Int64(truth.accepted), of: accepted))
        #expect(estimate.arrivalCapable == Proportion(Int64(truth.arrived), of: Int64(truth.reportable)))
        #expect(loss.totals[.notCapable] == Int64(truth.unconfirmedOfOthers))
        #expect(verification.differences == [])

        var arrivedOfMute: Int64 = 0
        for version in traffic.truth.versions where version.reportable > 0 {
            let rows = health.rows.filter {
                $0.key.parts.contains { $0.dimension == .appVersion && $0.value == version.appVersion }
            }
            let judged = rows.filter { $0.counts[.reportable] >= DoctorRules().reportable }
            #expect(!judged.isEmpty, "\(version.appVersion)")
            #expect(Set(judged.map(\.health)) == [version.hasExtension ? .reports : .neverReports])
            #expect(rows.allSatisfy { version.hasExtension || $0.health != .reports })
            if !version.hasExtension {
                arrivedOfMute += rows.reduce(0) { $0 + $1.counts[.arrivedReportable] }
            }
        }
        // Updated installations reported pushes to a version without an extension: arrivals alone would
        // credit it wrongly.
        #expect(traffic.truth.versions.contains { !$0.hasExtension })
        #expect(arrivedOfMute > 0)
    }
}
