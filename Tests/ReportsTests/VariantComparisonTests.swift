import DeliveryModel
import Testing

@testable import Reports

@Suite("Variants of a campaign")
struct VariantComparisonTests {
    /// - Parameter variants: name, confirmed, clicked.
    private func report(
        _ variants: [(String?, Int64, Int64)], by: [Dimension] = [.variant], campaigns: [String] = ["spring"]
    ) throws -> FunnelReport {
        let rows = variants.map { name, confirmed, clicked in
            let parts = by.map { RowKey.Part($0, $0 == .variant ? name : "2026-03-01") }
            return CountedRow(
                key: RowKey(parts),
                counts: counts([
                    ([.attempted, .accepted, .canReport, .arrived], confirmed - clicked),
                    ([.attempted, .accepted, .canReport, .arrived, .clicked], clicked),
                ]))
        }
        var totals = MeasureCounts()
        for row in rows { totals += row.counts }
        let query = try sampleQuery(by: by, filters: campaigns.map { ReportFilter(.campaign, [$0]) })
        return try FunnelReport(
            frame: ReportFrame(
                report: "funnel", query: query, unit: .notifications, asOf: instant("2026-03-01T12:00:00Z")),
            rows: rows, totals: totals, unmatched: 0)
    }

    @Test("are compared with the one named control or A, otherwise with the largest")
    func control() throws {
        #expect(
            try report([("x", 900, 90), ("Control", 10, 1), ("a", 100, 10)]).variantComparisons.first?.control
                == "Control")
        #expect(try report([("x", 900, 90), ("A", 100, 10)]).variantComparisons.first?.control == "A")
        #expect(try report([("x", 100, 10), ("y", 900, 90)]).variantComparisons.first?.control == "y")
        #expect(try report([(nil, 900, 90), ("y", 100, 9)]).variantComparisons.map(\.variant) == ["y"])
    }

    @Test("have lift, Newcombe's interval and the p of the z-test, for click-through")
    func figures() throws {
        let comparison = try #require(try report([("A", 80, 48), ("B", 70, 56)]).variantComparisons.first)
        #expect(comparison.obstacle == nil)
        #expect(abs(try #require(comparison.difference.lift) - 1.0 / 3) < 0.000_001)
        let interval = try #require(comparison.difference.interval)
        #expect(abs(interval.lowerBound - 0.0524) < 0.000_05)
        #expect(abs(try #require(comparison.correctedP) - 0.008_045) < 0.000_001)
    }

    @Test("are corrected by Holm if there are more than two")
    func holm() throws {
        let comparisons = try report([("A", 80, 48), ("B", 70, 56), ("C", 80, 50)]).variantComparisons
        #expect(comparisons.map(\.variant) == ["B", "C"])
        #expect(abs(try #require(comparisons[0].correctedP) - 2 * 0.008_045) < 0.000_001)
        #expect(comparisons[1].correctedP == comparisons[1].difference.pValue)
    }

    @Test("have no p without enough data, and then do not count for Holm's correction")
    func notEnough() throws {
        let comparisons = try report([("A", 80, 48), ("B", 70, 56), ("C", 7, 2), ("D", 0, 0)])
            .variantComparisons
        #expect(comparisons.map { $0.obstacle == nil } == [true, false, false])
        #expect(comparisons[2].obstacle == .nothingConfirmed)
        #expect(abs(try #require(comparisons[0].correctedP) - 0.008_045) < 0.000_001)
        let text = comparisons[1].json.lineText
        #expect(text.contains(#""p":null,"p_holm":null,"reason":"not enough data: fewer than 5"#))
    }

    @Test("are added up over days")
    func days() throws {
        let report = try report([("A", 40, 24), ("B", 70, 56), ("A", 40, 24)], by: [.day, .variant])
        #expect(report.variantComparisons.first?.difference.first == Proportion(48, of: 80))
    }

    @Test("are compared only within one campaign")
    func oneCampaign() throws {
        #expect(try report([("A", 80, 48), ("B", 70, 56)], campaigns: []).variantComparisons.isEmpty)
        #expect(
            try report([("A", 80, 48), ("B", 70, 56)], campaigns: ["a", "b"]).variantComparisons.isEmpty)
        #expect(try report([("A", 80, 48)]).variantComparisons.isEmpty)
        #expect(try report([("A", 80, 48), ("B", 70, 56)], by: [.campaign]).variantComparisons.isEmpty)
    }

    @Test("are in the member comparisons, which names no winner")
    func document() throws {
        let text = try report([("A", 80, 48), ("B", 70, 56)]).document.lineText
        #expect(
            text.contains(
                #""comparisons":[{"rate":"click_through","control":"A","variant":"B","control_rate":{"numerator":48,"denominator":80,"#
            ))
        #expect(!text.contains("winner"))
    }
}
