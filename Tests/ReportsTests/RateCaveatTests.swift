import DeliveryModel
import Documents
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
        // A tenth is reportable; nearly all clicks come from the rest, and most of the confirmed from the tenth.
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
        let lines = report.document.linesText
        #expect(lines.map { $0.contains(#""caveat":"few arrivals are reported"#) } == [true, false, false])
        #expect(lines.last?.contains(#""unmatched":2,"local":3"#) == true)
    }
}
