import ArgumentParser
import DeliveryModel
import Doctor
import PostgresClient
import Simulation
import TestDatabase
import Testing

@testable import Dashboards
@testable import Rendering

/// Days of known truth, with one fault each: the doctor reports that fault, and nothing else.
@Suite("landfall doctor on simulated days", .databaseForLong)
struct DoctorScenarioTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let scenario: TrafficScenario
        let id: Finding.ID
        /// Words in the sentence, apart from its numbers.
        let words: [String]
        /// Other findings that the same fault may cause.
        var others: Set<Finding.ID> = []
        /// The days of traffic before the instant of the report. Some faults need no past to be found.
        var days = 3
        /// Whether docs/doctor.md shows it, as its one example of this finding.
        var isShown = true

        var testDescription: String { scenario.rawValue }
    }

    static let cases = [
        Case(
            scenario: .developmentBuild, id: .wrongEnvironment,
            words: ["ios 7.2.0", "400 BadDeviceToken", "production"], others: [.breakerOpen]),
        Case(
            scenario: .wrongTopic, id: .wrongTopic,
            words: ["ios 7.2.0", "400 DeviceTokenNotForTopic", "com.example.shop"]),
        Case(
            scenario: .expiredCredentials, id: .credentials,
            words: ["all builds", "403 ExpiredProviderToken"]),
        Case(
            scenario: .wrongHost, id: .rejected,
            words: [
                "apns production", "400 BadDeviceToken", "In the week before, 0.0 % were", "It is ongoing.",
            ], others: [.breakerOpen],
            isShown: false),
        Case(
            scenario: .oversizedPayload, id: .rejected,
            words: ["com.example.shop", "413 PayloadTooLarge", "It is ongoing."]),
        Case(
            scenario: .providerOutage, id: .providerOutage,
            words: ["apns", "2026-03-15 18:00", "without a response", "It is ongoing: since then 3 of 8"]),
        Case(
            scenario: .silentExtension, id: .extensionSilent, words: ["ios 7.1.0", "The other versions"],
            days: 9),
        Case(
            scenario: .lostExtension, id: .extensionNeverReports,
            words: ["ios 7.2.0 has", "ios 7.1.0 and ios 7.0.1 report"], days: 9),
        Case(
            scenario: .noMutableContent, id: .mutableContentMissing,
            words: ["campaign morning-briefing-4", "campaign evening-digest-4"]),
        Case(
            scenario: .contentAvailable, id: .contentAvailableUnused,
            words: ["campaign morning-briefing-4", "campaign evening-digest-4"]),
        Case(
            scenario: .silentSender, id: .silentOutage,
            words: ["0 pushes have a response in the last 6 hours", "items of any kind"], days: 15),
        Case(
            scenario: .lostResponses, id: .answersMissing,
            words: ["0 pushes have a response", "Devices report"], days: 15),
        Case(scenario: .deafServer, id: .arrivalsMissing, words: ["0 arrivals"], days: 9),
        Case(
            scenario: .massRejection, id: .breakerOpen, words: ["production, topic com.example.shop"],
            others: [.providerPurge]),
        Case(
            scenario: .tokenPurge, id: .providerPurge, words: ["ios 7.1.0", "ios 7.2.0", "clicks are flat"],
            days: 9
        ),
        Case(scenario: .foreignSender, id: .unmatchedEvents, words: ["for which no response was posted"]),
    ]

    @Test("reports what is wrong, and nothing else", .timeLimit(.minutes(40)), arguments: cases)
    func fault(_ expected: Case) async throws {
        var history = SimulatedHistory(expected.scenario)
        history.days = expected.days
        try await expectOne(expected, of: history)
    }

    @Test("reports that items are rejected, and why", .timeLimit(.minutes(40)))
    func spoiledItems() async throws {
        var history = SimulatedHistory(.healthy)
        history.spoiledPercent = 12
        history.days = 3
        let expected = Case(scenario: .healthy, id: .rejectedItems, words: ["invalid_json"])
        try await expectOne(expected, of: history)
    }

    private func expectOne(_ expected: Case, of history: SimulatedHistory) async throws {
        let report = try await Self.report(on: history.write())
        let findings = report.patients.flatMap(\.findings)
        let finding = try #require(
            findings.first { $0.id == expected.id }, "instead: \(findings.map(\.sentence))")
        let unexpected = findings.filter { $0.id != expected.id && !expected.others.contains($0.id) }
        #expect(unexpected.map(\.sentence) == [])
        #expect(findings.count { $0.id == expected.id } == 1)
        for words in expected.words { #expect(finding.sentence.contains(words), "\(finding.sentence)") }
        #expect(finding.evidence.isEmpty == false)
        // The suggested command can be run as printed.
        _ = try Landfall.parseAsRoot(Array(finding.command.dropFirst()))
        guard expected.isShown else { return }
        try DoctorPaper.expect(
            DoctorPage(report, DoctorPaper.style).lines(of: finding), as: finding.id.rawValue)
    }

    /// - Parameter hoursAgo: the hours between the instant of the report and the end of the traffic.
    static func report(
        on app: App, hoursAgo: Int64 = 0, rules: DoctorRules = DoctorRules()
    ) async throws -> DoctorReport {
        try await TestDatabase.current.pool.withConnection { connection in
            // The tests' cluster runs without fsync, which would be a finding.
            try DoctorReport.run(
                for: [app], rules: rules, isPast: true, examinesServer: false, on: connection,
                now: SimulatedHistory.end - .hours(hoursAgo))
        }
    }
}
