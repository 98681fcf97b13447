import DeliveryModel
import Testing

@testable import Doctor

/// The conclusions from the state of the database.
@Suite("Diagnoses of upkeep")
struct UpkeepDiagnosisTests {
    private let examination = Examination.evening
    private let start = Examination.lastHour

    @Test(
        "many campaigns in an hour are a finding if they have few pushes each; many states always are",
        arguments: [
            (999, 1_000, 40, []), (1_000, 10_001, 40, []), (1_000, 10_000, 40, [.scatteredCampaigns]),
            (50, 90_000, 999, []), (50, 90_000, 1_000, [.scatteredStates]),
            (8_000, 8_000, 1_200, [.scatteredCampaigns, .scatteredStates]),
        ] as [(Int64, Int64, Int64, [Finding.ID])])
    func scattered(campaigns: Int64, notifications: Int64, states: Int64, ids: [Finding.ID]) {
        let usual = ScatteredCounters.Hour(
            hour: start - .hours(1), states: 20, campaigns: 30, notifications: 60)
        let worst = ScatteredCounters.Hour(
            hour: start, states: states, campaigns: campaigns, notifications: notifications)
        let findings = ScatteredCounters.findings([usual, worst], examination)
        #expect(findings.map(\.id) == ids)
        #expect(findings.allSatisfy { $0.sentence.contains("from 2026-03-15 18:00 to 19:00 UTC") })
    }

    @Test("a cell that has used nine tenths of the ids of a table is a finding")
    func usedIDs() {
        let few = UsedIDs.Fact(name: "token_token_id_seq", share: 0.899)
        let many = UsedIDs.Fact(name: "token_token_id_seq", share: 0.9)
        #expect(UsedIDs.findings(few, examination).isEmpty && UsedIDs.findings(nil, examination).isEmpty)
        let found = UsedIDs.findings(many, examination)
        #expect(found.map(\.id) == [.idsUsed])
        #expect(
            found.first?.sentence
                == "The sequence token_token_id_seq has used 90.0 % of the ids of this cell.")
        #expect(UsedIDs.examined(many, examination) == .judged("at most 90.0 % used"))
        #expect(UsedIDs.examined(nil, examination) == .nothing)
    }

    @Test("a move that has not ended is a finding, and a problem while the app is refused")
    func unfinishedMoves() {
        let facts = ["leaving", "serving", "left", "copying", "arriving"].map {
            UnfinishedMoves.Fact(slug: "shop", state: $0, cell: 3)
        }
        let found = UnfinishedMoves.findings(facts, examination)
        #expect(found.map(\.severity) == [.problem, .warning, .warning, .warning, .warning])
        #expect(
            found.map(\.sentence) == [
                "The move of the app shop to cell 3 has not ended: its state here is leaving.",
                "The move of the app shop to cell 3 has not ended: its state here is serving.",
                "The move of the app shop to cell 3 has not ended: its state here is left.",
                "The move of the app shop from cell 3 has not ended: its state here is copying.",
                "The move of the app shop from cell 3 has not ended: its state here is arriving.",
            ])
        #expect(UnfinishedMoves.examined(facts, examination) == .judged("5 not ended"))
        #expect(UnfinishedMoves.examined([], examination) == .nothing)
    }

    @Test(
        "maintenance is overdue if much has been due for more than a day, however old the days are",
        arguments: [
            (quarters: 97, oldestDays: 9, maintainedHours: 25, isOverdue: true),
            (quarters: 96, oldestDays: 9, maintainedHours: 25, isOverdue: false),
            // An import: years of events since the last run.
            (quarters: 20_000, oldestDays: 300, maintainedHours: 1, isOverdue: false),
            (quarters: 20_000, oldestDays: 300, maintainedHours: 23, isOverdue: false),
            (quarters: 20_000, oldestDays: 300, maintainedHours: 25, isOverdue: true),
            // Quarter hours that became due only recently.
            (quarters: 97, oldestDays: 1, maintainedHours: 400, isOverdue: false),
            (quarters: 97, oldestDays: 2, maintainedHours: 400, isOverdue: true),
        ] as [(Int64, Int64, Int64, Bool)])
    func maintenance(quarters: Int64, oldestDays: Int64, maintainedHours: Int64, isOverdue: Bool) {
        let fact = OverdueMaintenance.Fact(
            unfoldedQuarters: quarters, oldest: examination.asOf - .days(oldestDays),
            maintainedAt: examination.asOf - .hours(maintainedHours))
        #expect(
            OverdueMaintenance.findings(fact, examination).map(\.severity) == (isOverdue ? [.warning] : []))
    }

    @Test(
        "the disk is filling if it is full before the retention is reached, and its room is known",
        arguments: [
            // 362 MB a day; packed days take half of it.
            (gigabytes: 4, packs: false, keptDays: 20, severity: .warning),
            (gigabytes: 2, packs: false, keptDays: 20, severity: .problem),
            (gigabytes: 2, packs: true, keptDays: 20, severity: .warning),
            (gigabytes: 11, packs: false, keptDays: 20, severity: nil),
            // After five days, as much is dropped as is added.
            (gigabytes: 2, packs: false, keptDays: 395, severity: nil),
            (gigabytes: nil, packs: false, keptDays: 20, severity: nil),
        ] as [(Int64?, Bool, Int64, Finding.Severity?)])
    func disk(gigabytes: Int64?, packs: Bool, keptDays: Int64, severity: Finding.Severity?) {
        let examination = Examination(
            app: shop, asOf: examination.asOf, freeBytes: gigabytes.map { $0 * 1_000_000_000 })
        var fact = DiskRoom.Fact(
            bytes: 14 * 362_000_000, notifications: 14 * 1_000_000,
            oldestDay: examination.asOf - .days(keptDays), packsDays: packs, retentionDays: 400)
        let found = DiskRoom.findings(fact, examination)
        #expect(found.map(\.severity) == [severity].compactMap(\.self))
        if let sentence = found.first?.sentence {
            #expect(sentence.contains("362 bytes each"), "\(sentence)")
        }
        fact = DiskRoom.Fact(
            bytes: 14_000_000, notifications: 14, oldestDay: fact.oldestDay, packsDays: packs,
            retentionDays: 400)
        #expect(DiskRoom.findings(fact, examination).isEmpty)
    }

    @Test("a database that may lose commits is a problem", arguments: ["fsync", "full_page_writes"])
    func durability(setting: String) {
        let settings = { (value: String) in
            [ServerDurability.Fact(setting: setting, value: value), .init(setting: "other", value: "on")]
        }
        #expect(ServerDurability.findings(settings("on"), examination).isEmpty)
        let finding = ServerDurability.findings(settings("off"), examination).first
        #expect(finding?.sentence == "In PostgreSQL, \(setting) is off.")
        #expect(finding?.commandLine == "psql -c 'SHOW \(setting)'")
    }
}
