import DeliveryModel
import Testing

@testable import Reports

@Suite("A check that a report adds up")
struct AddingUpTests {
    private func funnel(_ rows: [MeasureCounts], totals: MeasureCounts) throws -> FunnelReport {
        let keys = ["spring", "summer", "autumn"].map { RowKey([.init(.campaign, $0)]) }
        return try FunnelReport(
            frame: sampleFrame("funnel", by: rows.isEmpty ? [] : [.campaign]),
            rows: zip(keys, rows).map { CountedRow(key: $0, counts: $1) }, totals: totals, unmatched: 0)
    }

    @Test("passes if it does")
    func addsUp() throws {
        let row = counts(clickedStates + rejectedStates)
        var totals = row
        totals += row
        #expect(try funnel([row, row], totals: totals).totals[.attempted] == 30)
        #expect(try funnel([], totals: MeasureCounts()).rows.isEmpty)
    }

    @Test("fails if an attempt was neither accepted nor rejected")
    func attempted() {
        var totals = counts(clickedStates + rejectedStates)
        totals[.attempted] += 1
        #expect(
            throws: ReportError.doesNotAddUp(
                report: "funnel", place: "the totals", rule: "attempted = accepted + Σ rejected", left: 16,
                right: 15)
        ) { try funnel([], totals: totals) }
    }

    @Test("fails if the totals are not the sum of the rows")
    func totals() {
        let row = counts(clickedStates)
        #expect(throws: ReportError.self) { try funnel([row, row], totals: row) }
    }

    @Test(
        "fails if a part is larger than its whole",
        arguments: [
            Measure.reportable, .confirmed, .arrived, .presented, .clicked, .dismissed, .arrivedReportable,
            .confirmedUnreported, .conflicting, .contradicted, .misdirected, .confirmedSigned,
        ])
    func parts(measure: Measure) {
        var totals = counts(clickedStates + rejectedStates)
        totals[measure] += 100
        #expect(throws: ReportError.self) { try funnel([], totals: totals) }
    }

    @Test("fails if a count is negative")
    func negative() {
        var totals = counts(clickedStates)
        totals[.conflicting] = -1
        #expect(throws: ReportError.self) { try funnel([], totals: totals) }
    }

    @Test("names the wrong row")
    func row() {
        var wrong = counts(clickedStates)
        wrong[.clicked] = 99
        let error = #expect(throws: ReportError.self) { try funnel([wrong], totals: counts(clickedStates)) }
        #expect(error?.description.contains("campaign spring, clicked ≤ confirmed: 99 against 8") == true)
        #expect(error?.isMistakeInQuestion == false)
    }

    private typealias Reached = ReachReport.Counts

    private func reach(rows: [Reached], totals: Reached, audienceReached: Int64? = nil) throws -> ReachReport
    {
        let keys = ["2026-02-28", "2026-03-01"].map { RowKey([.init(.day, $0)]) }
        return try ReachReport(
            frame: sampleFrame("reach", by: [.day], unit: .installations),
            rows: zip(keys, rows).map { .init(key: $0, counts: $1) }, totals: totals, audience: 4,
            unmatched: 0, audienceReached: audienceReached)
    }

    @Test("allows no more reached of the audience than are in it or were reached")
    func reachOfTheAudience() throws {
        let totals = Reached(targeted: 9, reached: 6, engaged: 1, withoutTarget: 0)
        func reach(_ audienceReached: Int64) throws -> ReachReport {
            try self.reach(rows: [totals, totals], totals: totals, audienceReached: audienceReached)
        }
        // 6 were reached, and the audience is 4: two have left it since.
        #expect(try reach(4).audienceReach?.value == 1)
        let error = #expect(throws: ReportError.self) { try reach(5) }
        #expect(
            error?.description.contains("the totals, numerator ≤ denominator of audience_reach: 5 against 4")
                == true)
        let few = Reached(targeted: 9, reached: 2, engaged: 1, withoutTarget: 0)
        #expect(throws: ReportError.self) {
            try self.reach(rows: [few, few], totals: few, audienceReached: 3)
        }
    }

    @Test("allows no rate above 100 %, for any rate")
    func rates() throws {
        #expect(Proportion(33, of: 32).value == nil)
        #expect(Proportion(33, of: 32).interval == nil)
        #expect(Proportion(-1, of: 32).value == nil)
        #expect(throws: ReportError.self) {
            try AddingUp(report: "reach").check(Proportion(33, of: 32), "reach", place: "the totals")
        }
        #expect(throws: Never.self) {
            try AddingUp(report: "reach").check(Proportion(32, of: 32), "reach", place: "the totals")
        }
    }

    @Test("requires the distinct total of reach to be between its largest row and the sum of its rows")
    func distinct() throws {
        let row = Reached(targeted: 5, reached: 3, engaged: 1, withoutTarget: 0)
        #expect(throws: Never.self) { try reach(rows: [row, row], totals: row) }
        #expect(throws: ReportError.self) {
            try reach(
                rows: [row, row], totals: Reached(targeted: 11, reached: 3, engaged: 1, withoutTarget: 0))
        }
        #expect(throws: ReportError.self) {
            try reach(
                rows: [row, row], totals: Reached(targeted: 4, reached: 3, engaged: 1, withoutTarget: 0))
        }
        // An estimate may be off by several standard errors, but no more.
        for (total, adds) in [(1_040, true), (1_200, false)] as [(Int64, Bool)] {
            let part = Reached(targeted: 500, reached: 500, engaged: 0, withoutTarget: 0)
            let totals = Reached(targeted: total, reached: 900, engaged: 0, withoutTarget: 0)
            let keys = ["2026-02-28", "2026-03-01"].map { RowKey([.init(.day, $0)]) }
            let frame = try sampleFrame("reach", by: [.day], unit: .installations)
            let report = try? ReachReport(
                frame: frame, rows: keys.map { .init(key: $0, counts: part) }, totals: totals, audience: 4,
                unmatched: 0, standardError: ReachSketches.standardError)
            #expect((report != nil) == adds)
        }
        #expect(throws: ReportError.self) {
            try reach(rows: [], totals: Reached(targeted: 0, reached: 1, engaged: 0, withoutTarget: 0))
        }
    }
}
