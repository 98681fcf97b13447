import Basics
import Foundation
import Reports
import Testing

@testable import Dashboards
@testable import Rendering

/// As text, JSON and CSV; as pages in ``PageGoldenTests``.
@Suite("The reports of a hand-made day") struct ReportGoldenTests {
    private static let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)

    /// By the name of the golden files.
    private static func reports() throws -> [String: any RenderableReport] {
        [
            "funnel": try HandMadeDay.funnel(by: nil),
            "funnel-by-campaign": try HandMadeDay.funnel(by: .campaign),
            "funnel-by-hour": try HandMadeDay.funnel(by: .hour),
            "clicks-by-campaign": try HandMadeDay.clicks(by: .campaign),
            "clicks-by-action": try HandMadeDay.clicksByAction(),
            "reach-by-campaign": try HandMadeDay.reach(by: .campaign),
            "reach-sketched": try HandMadeDay.sketchedReach(),
            "loss": try HandMadeDay.loss(),
            "rejections": try HandMadeDay.rejections(),
            "latency": try HandMadeDay.latency(),
            "latency-compared": try HandMadeDay.comparedLatency(),
            "extension": try HandMadeDay.extensionHealth(),
            "permissions": try HandMadeDay.permissions(),
            "permissions-by-campaign": try HandMadeDay.optOuts(),
            "tokens": HandMadeDay.tokens,
            "zombies": HandMadeDay.zombies,
            "deaths": HandMadeDay.deaths,
            "waterfall": try HandMadeDay.waterfall(),
        ]
    }

    @Test("match their golden files as text, NDJSON and CSV, and fit the terminal")
    func golden() throws {
        for (name, report) in try Self.reports() {
            let lines = report.lines(Self.style)
            for line in lines { #expect(displayWidth(line) <= 100) }
            try GoldenFile.expect(lines, "text/\(name).txt")
            #expect(report.text(as: .table, Self.style) == lines.map { $0 + "\n" }.joined())
            try GoldenFile.expect(text: report.text(as: .ndjson, Self.style), "json/\(name).ndjson")
            try GoldenFile.expect(text: report.text(as: .csv, Self.style), "csv/\(name).csv")
        }
    }

    @Test("are the same document indented as on one line", arguments: ["funnel", "loss"])
    func indented(golden name: String) throws {
        let reports = try Self.reports()
        let report = try #require(reports[name])
        try GoldenFile.expect(text: report.text(as: .json, Self.style), "json/\(name).json")
        for (name, report) in reports {
            let indented = try JSONSerialization.jsonObject(with: Data(report.document.indentedText.utf8))
            let line = try JSONSerialization.jsonObject(with: Data(report.document.lineText.utf8))
            #expect((indented as? NSDictionary) == (line as? NSDictionary), "\(name)")
        }
    }
}
