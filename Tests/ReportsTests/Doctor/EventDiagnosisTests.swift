import DeliveryModel
import Foundation
import Testing

@testable import Doctor

/// The conclusions from events that devices report, and from rejected items.
@Suite("Diagnoses of events")
struct EventDiagnosisTests {
    private let examination = Examination.evening

    @Test(
        "a few unmatched events are usual, many are a warning, very many a problem",
        arguments: [(29, 0, nil), (60, 900, nil), (200, 900, .warning), (400, 900, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func unmatched(unmatched: Int64, attempted: Int64, severity: Finding.Severity?) {
        let findings = UnmatchedEvents.findings(
            .init(unmatched: unmatched, attempted: attempted), examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
    }

    @Test(
        "a few misdirected events are usual, more are a warning, many a problem",
        arguments: [(19, 19, nil), (30, 3_000, nil), (90, 3_000, .warning), (400, 3_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func misdirected(misdirected: Int64, reported: Int64, severity: Finding.Severity?) {
        let findings = MisdirectedEvents.findings(Proportion(misdirected, of: reported), examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        #expect(findings.allSatisfy { $0.meaning.contains("notification_id") })
    }

    @Test(
        "a few responses with the id of another push are usual, more are a warning, many a problem",
        arguments: [(19, 19, nil), (20, 30_000, nil), (30, 10_000, .warning), (100, 10_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func reusedIDs(reused: Int64, received: Int64, severity: Finding.Severity?) throws {
        let id = try #require(UUID(uuidString: "01942F0E-7C00-7000-8000-000000000001"))
        let facts = ReusedIDs.Facts(
            received: received, reused: reused,
            span: instant("2026-03-15T17:00:00Z")..<instant("2026-03-15T20:00:00Z"), examples: [id])
        let findings = ReusedIDs.findings(facts, examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        for finding in findings {
            #expect(
                finding.sentence == "\(reused) responses named a notification_id that a push to another "
                    + "device has from 2026-03-15 17:00 to 19:05 UTC, such as 01942f0e-7c00-7000-8000-000000000001."
            )
            #expect(finding.remedy.contains("message_id"))
            #expect(finding.commandLine.hasSuffix("01942f0e-7c00-7000-8000-000000000001"))
        }
    }

    @Test(
        "single rejected items are no finding",
        arguments: [(19, 19, nil), (20, 10_000, nil), (200, 10_000, .warning), (2_000, 10_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func rejected(rejected: Int64, received: Int64, severity: Finding.Severity?) {
        let facts = RejectedItems.Facts(
            received: received, rejected: rejected, codes: [.init(code: "too_old", items: rejected)])
        let findings = RejectedItems.findings(facts, examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        #expect(findings.allSatisfy { $0.sentence.contains("too_old") })
    }

    @Test(
        "rejected items that mostly came with a device key may be forged",
        arguments: [
            (0, false, "contains 80 too_old."), (40, false, "40 of them were posted with a device key."),
            (80, true, "All of them were posted with a device key."),
        ] as [(Int64, Bool, String)])
    func rejectedOfDevices(deviceItems: Int64, mayBeForged: Bool, end: String) {
        let facts = RejectedItems.Facts(
            received: 100, rejected: 80,
            codes: [.init(code: "too_old", items: 80, deviceItems: deviceItems)])
        let finding = RejectedItems.findings(facts, examination).first
        #expect(finding?.sentence.hasSuffix(end) == true)
        #expect(finding?.meaning.contains("may be forged") == mayBeForged)
        #expect(finding?.command.contains("--poster") == mayBeForged)
    }

    @Test(
        "trouble on devices is a finding from a number on, and clocks only if many are off",
        arguments: [
            (.dropped, 19, 100, nil), (.dropped, 20, 100_000, .eventsDropped), (.unshared, 4, 100, nil),
            (.unshared, 5, 100_000, .appGroupMissing), (.clock, 19, 100, nil),
            (.clock, 20, 400, .deviceClocks), (.clock, 20, 401, nil),
        ] as [(DeviceTroubles.Trouble, Int64, Int64, Finding.ID?)])
    func troubles(trouble: DeviceTroubles.Trouble, events: Int64, received: Int64, id: Finding.ID?) {
        let facts = DeviceTroubles.Facts(
            counts: [
                .init(
                    trouble: trouble, appVersion: "7.1.0", kit: "0.1.0", events: events - 1, devices: 4,
                    largest: 0),
                .init(trouble: trouble, appVersion: "", kit: "", events: 1, devices: 1, largest: 0),
            ], received: received)
        let findings = DeviceTroubles.findings(facts, examination)
        #expect(findings.map(\.id) == [id].compactMap(\.self))
        #expect(
            findings.allSatisfy {
                $0.sentence.contains("7.1.0 with kit 0.1.0 (\(events - 1)) and an unknown version (1)")
            })
    }

    @Test(
        "trouble that few devices report, or that one device reports most of, is no finding",
        arguments: DeviceTroubles.Trouble.allCases)
    func fewDevices(trouble: DeviceTroubles.Trouble) {
        func findings(events: Int64, devices: Int64, largest: Int64) -> Int {
            let count = DeviceTroubles.Facts.Count(
                trouble: trouble, appVersion: "7.1.0", kit: "", events: events, devices: devices,
                largest: largest)
            return DeviceTroubles.findings(.init(counts: [count], received: 100), examination).count
        }
        #expect(findings(events: 4_000, devices: 4, largest: 1_000) == 0)
        #expect(findings(events: 1_004, devices: 5, largest: 1_000) == 0)
        #expect(findings(events: 1_020, devices: 5, largest: 1_000) == 1)
    }

    @Test("alerts with content-available are a finding from fifty on, unless the app reports any of them")
    func wakes() {
        let few = UnusedWakes.Fact(campaign: "spring", alerts: 49, reported: 0, confirmed: 9)
        let many = UnusedWakes.Fact(campaign: "", alerts: 50, reported: 0, confirmed: 1)
        #expect(UnusedWakes.findings([few], examination).isEmpty)
        let found = UnusedWakes.findings([many, few], examination)
        #expect(found.map(\.id) == [.contentAvailableUnused])
        #expect(found.first?.sentence.hasPrefix("50 accepted alerts of pushes without a campaign") == true)
        let reported = UnusedWakes.Fact(campaign: "autumn", alerts: 3, reported: 1, confirmed: 1)
        #expect(UnusedWakes.findings([many, reported], examination).isEmpty)
        let silent = UnusedWakes.Fact(campaign: "", alerts: 50, reported: 0, confirmed: 0)
        #expect(UnusedWakes.findings([silent], examination).isEmpty, "Its devices report nothing at all.")
    }

    @Test("a category that five installations miss is a finding")
    func categories() {
        let few = MissingCategories.Fact(category: "chat", installations: 4, appVersion: "7.1.0")
        let many = MissingCategories.Fact(category: "order", installations: 5, appVersion: "7.1.0")
        #expect(MissingCategories.findings([few], examination).isEmpty)
        let found = MissingCategories.findings([many, few], examination)
        #expect(found.map(\.id) == [.categoriesMissing])
        #expect(found.first?.sentence.contains("order (5); app version 7.1.0") == true)
    }
}
