import DeliveryModel
import Testing

@testable import Reports

@Suite("A rate of confirmed notifications")
struct RateCaveatTests {
    private func counts(_ states: [(DeliveryState, Int64)]) -> MeasureCounts {
        var counts = MeasureCounts()
        for (state, count) in states {
            counts.add(count, in: state.union([.attempted, .accepted]))
        }
        return counts
    }

    private static let reported: DeliveryState = [.canReport, .arrived]

    @Test("is marked as too high if few arrivals are reported")
    func marked() {
        // Nothing is reportable: only those who click are confirmed.
        let blind = counts([([], 900), (.clicked, 61), (.dismissed, 39)])
        #expect(Rate.clickThrough.proportion(in: blind).value == 0.61)
        #expect(Rate.clickThrough.caveat(in: blind) != nil)
        #expect(Rate.dismissal.caveat(in: blind) != nil)
        // All is reportable, but no extension reports.
        #expect(
            Rate.clickThrough.caveat(in: counts([(.canReport, 900), ([.canReport, .clicked], 60)])) != nil)
        // A tenth is reportable; nearly all clicks come from the rest, and most of the confirmed from the
        // tenth.
        let few = counts([([], 882), (.clicked, 18), (Self.reported, 98), (Self.reported.union(.clicked), 2)])
        #expect(Rate.clickThrough.caveat(in: few) != nil)
    }

    @Test("is not marked if most arrivals are reported, or there is nothing to mark")
    func unmarked() {
        let usual = counts([
            (Self.reported, 580), (Self.reported.union(.clicked), 64), (.canReport, 320),
            ([.canReport, .clicked], 36),
        ])
        #expect(Rate.clickThrough.caveat(in: usual) == nil)
        // Background pushes are not reportable and cannot be clicked.
        #expect(
            Rate.clickThrough.caveat(in: counts([([], 100_000), (Self.reported.union(.clicked), 9)])) == nil)
        #expect(Rate.clickThrough.caveat(in: counts([([], 900), (.dismissed, 5)])) == nil)
        #expect(Rate.clickThrough.caveat(in: MeasureCounts()) == nil)
        let blind = counts([([], 900), (.clicked, 61)])
        #expect(Rate.clickPerAccepted.caveat(in: blind) == nil)
        #expect(Rate.acceptance.caveat(in: blind) == nil)
    }

    @Test("has the caveat in documents, for the totals and for each row")
    func documents() throws {
        let blind = counts([([], 900), (.clicked, 61)])
        let seen = counts([(Self.reported, 580), (Self.reported.union(.clicked), 64)])
        var totals = blind
        totals += seen
        let report = try FunnelReport(
            frame: sampleFrame("funnel", by: [.campaign]),
            rows: [
                CountedRow(key: RowKey([.init(.campaign, "blind")]), counts: blind),
                CountedRow(key: RowKey([.init(.campaign, "seen")]), counts: seen),
            ], totals: totals, unmatched: UnmatchedCounts(unmatched: 2, local: 3))
        let lines = report.document.lines(of: "rows")
        #expect(lines.map { $0.contains(#""caveat":"few arrivals are reported"#) } == [true, false, false])
        #expect(lines.last?.contains(#""unmatched":2,"local":3"#) == true)
    }

    /// Nothing is reportable: nearly all of the confirmed were clicked.
    private var blind: MeasureCounts { counts([([], 900), (.clicked, 61), (.dismissed, 39)]) }
    private var low: MeasureCounts { counts([(Self.reported, 900), (Self.reported.union(.clicked), 40)]) }
    private var high: MeasureCounts { counts([(Self.reported, 700), (Self.reported.union(.clicked), 140)]) }

    private func report<Question: CounterQuestion>(
        _ rows: [(String, MeasureCounts)], by dimension: Dimension
    ) throws -> CounterReport<Question> {
        var totals = MeasureCounts()
        for row in rows { totals += row.1 }
        let query = try sampleQuery(
            by: [dimension], filters: dimension == .variant ? [ReportFilter(.campaign, ["spring"])] : [])
        return try CounterReport(
            frame: ReportFrame(
                report: Question.name, query: query, unit: .notifications,
                asOf: instant("2026-03-01T12:00:00Z")),
            rows: rows.map { CountedRow(key: RowKey([.init(dimension, $0.0)]), counts: $0.1) },
            totals: totals,
            unmatched: UnmatchedCounts(unmatched: 0, local: 0))
    }

    @Test(
        "ranks after those without a caveat, and before rows without a rate",
        arguments: ["click_through", "dismissal"])
    func ranks(rate: String) throws {
        var report: ClicksReport = try report(
            [
                ("none", counts([(.canReport, 9)])), ("low", low), ("blind", blind), ("high", high),
            ], by: .campaign)
        try report.arrange(RowOrder(sort: rate))
        let names = report.rows.map { $0.key.parts[0].value }
        #expect(names.suffix(2) == ["blind", "none"])
        if rate == "click_through" { #expect(names.first == "high") }
        try report.arrange(RowOrder(sort: "click_per_accepted"))
        #expect(report.rows.map { $0.key.parts[0].value } == ["high", "blind", "low", "none"])
    }

    @Test("is compared with no other: neither with another variant nor with another window")
    func comparisons() throws {
        let compared: FunnelReport = try report([("a", low), ("b", blind), ("c", high)], by: .variant)
        let variants = compared.variantComparisons
        #expect(variants.map(\.variant) == ["b", "c"])
        #expect(variants[0].correctedP == nil && variants[1].correctedP != nil)
        #expect(variants[0].obstacle?.description.contains("few arrivals are reported") == true)
        for (before, now) in [(low, blind), (blind, high)] {
            let change = FiguresChange(from: try figures(before), to: try figures(now))
            let doubtful = change.rates.filter(\.isDoubtful).map(\.id)
            #expect(doubtful.contains("click_through"))
        }
        let change = FiguresChange(from: try figures(low), to: try figures(high))
        let lost = LossCounts(
            counts: blind, losses: [.unexplained: blind[.accepted] - blind[.confirmed]])
        let loss = try LossReport(
            frame: compared.frame, rows: [.init(key: compared.rows[0].key, counts: lost)], totals: lost,
            unmatched: 0)
        let losses = loss.totalFigures.rates.filter(\.isDoubtful)
        #expect(losses.map(\.id) == ["click_through"])
        let doubtful = change.rates.filter(\.isDoubtful)
        #expect(doubtful.isEmpty)
    }

    private func figures(_ counts: MeasureCounts) throws -> Figures {
        let report: FunnelReport = try report([("a", counts)], by: .campaign)
        return report.totalFigures
    }
}
