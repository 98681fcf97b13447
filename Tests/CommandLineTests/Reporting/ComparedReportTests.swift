import ArgumentParser
import DeliveryModel
import Reports
import Testing

@testable import Dashboards
@testable import Rendering

@Suite("A report compared with another window") struct ComparedReportTests {
    private let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)
    private let heading = "Compared with 2026-02-28 00:00 +01:00 → 2026-03-01 00:00 +01:00"

    private func pages() throws -> [String: (page: HTMLPage, lines: [String])] {
        let funnel: FunnelReport = try HandMadeDay.comparedCounters("funnel")
        let clicks: ClicksReport = try HandMadeDay.comparedCounters("clicks")
        let (reach, loss) = (try HandMadeDay.comparedReach(), try HandMadeDay.comparedLoss())
        let (rejections, latency) = (
            try HandMadeDay.comparedRejections(), try HandMadeDay.comparedLatency()
        )
        return [
            "funnel": (funnel.htmlPage, funnel.lines(style)),
            "clicks": (clicks.htmlPage, clicks.lines(style)),
            "reach": (reach.htmlPage, reach.lines(style)),
            "loss": (loss.htmlPage, loss.lines(style)),
            "rejections": (
                rejections.htmlPage, rejections.lines(style)
            ),
            "latency": (latency.htmlPage, latency.lines(style)),
        ]
    }

    @Test("states the comparison on a terminal and on its page, with the same changes in both")
    func pagesAndTerminals() throws {
        for (name, report) in try pages() {
            let text = report.page.text
            #expect(report.lines.contains(heading), "\(name)")
            #expect(text.contains(heading), "\(name)")
            let start = try #require(report.lines.firstIndex(of: heading))
            let changes = report.lines[start...].flatMap { $0.matches(of: #/[▲▼] [0-9,.]+/#).map(\.0) }
            #expect(changes.isEmpty == false, "\(name)")
            for change in changes { #expect(text.contains(change), "\(name): \(change)") }
        }
    }

    @Test("has columns for the comparison in CSV")
    func csv() throws {
        let funnel: FunnelReport = try HandMadeDay.comparedCounters("funnel")
        let clicks: ClicksReport = try HandMadeDay.comparedCounters("clicks")
        for (text, column) in [
            (funnel.csv, ",attempted_previous,"),
            (clicks.csv, ",click_through_change,"),
            (try HandMadeDay.comparedReach().csv, ",reach_change,"),
            (try HandMadeDay.comparedLoss().csv, ",unexplained_previous,"),
            (try HandMadeDay.comparedLatency().csv, ",arrival_p50_ms_previous,"),
        ] {
            let lines = text.text.split(separator: "\r\n")
            #expect(lines[0].contains(column), "\(lines[0])")
            #expect(lines.count > 1)
        }
    }

    @Test("is not available where rows are responses and the comparison is by key")
    func rejected() throws {
        let question = ["rejections", "--compare", "previous"]
        for format in [["--csv"], ["--format", "csv"]] {
            #expect(throws: (any Error).self) { try Landfall.parseAsRoot(question + format) }
        }
        for format in [[], ["--json"], ["--html"], ["--ndjson"]] {
            #expect(throws: Never.self) { try Landfall.parseAsRoot(question + format) }
        }
        #expect(throws: Never.self) { try Landfall.parseAsRoot(["rejections", "--csv"]) }
    }

    @Test("shows what was attempted where nothing was rejected")
    func rejections() throws {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: 140)
        let lines = try HandMadeDay.comparedRejections().lines(style)
        let row = try #require(lines.last { $0.contains("7.1.0") && $0.contains("▲ 1,442 (+348.3 %)") })
        #expect(row.contains("▲ 84") && row.contains("pp"))
        #expect(row.contains("100.0 %") == false)
    }

    @Test("shows latencies with time units, and a dash where they are unknown")
    func times() throws {
        let lines = try HandMadeDay.comparedLatency().lines(style)
        let start = try #require(lines.firstIndex(of: heading))
        let median = try #require(lines[start...].first { $0.hasPrefix("Arrival p50") })
        #expect(median.contains(" s ") && median.contains("▼ ") && !median.contains("ms"))
        let none = try #require(lines[start...].first { $0.hasPrefix("(none)") })
        #expect(none.split(separator: " ").dropFirst().allSatisfy { $0 == "–" }, "\(none)")
    }

    @Test("is colored by the meaning of a change: red for more rejections, none for a neutral figure")
    func ink() {
        let more = ProportionDifference(from: Proportion(100, of: 10_000), to: Proportion(900, of: 10_000))
        let fewer = ProportionDifference(from: more.second, to: more.first)
        let chance = ProportionDifference(from: Proportion(1, of: 10), to: Proportion(2, of: 10))
        #expect(ChangeText.ink(more, of: "click_through") == .confirmed)
        #expect(ChangeText.ink(fewer, of: "click_through") == .trouble)
        #expect(ChangeText.ink(more, of: "share") == .trouble)
        #expect(ChangeText.ink(fewer, of: "share") == .confirmed)
        #expect(ChangeText.ink(more, of: "dismissal") == nil)
        for id in ["click_through", "share", "dismissal"] {
            #expect(ChangeText.ink(chance, of: id) == .aside)
        }
    }

    @Test(
        "labels latency axes as briefly as possible",
        arguments: [
            (Int64(0), "0 ms"), (850, "850 ms"), (996, "1 s"), (1_240, "1.2 s"), (36_400, "36 s"),
            (59_900, "1 min"), (250_300, "4.2 min"), (2_078_000, "35 min"), (3_599_999, "1 h"),
            (11_520_000, "3.2 h"), (86_400_000, "1 day"), (190_800_000, "2.2 days"), (864_000_000, "10 days"),
        ])
    func short(milliseconds: Int64, words: String) {
        #expect(Span(milliseconds: milliseconds).shortWords == words)
    }
}
