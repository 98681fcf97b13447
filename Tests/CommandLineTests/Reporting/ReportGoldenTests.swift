import DeliveryModel
import Documents
import Foundation
import Reports
import Testing

@testable import Dashboards

/// A report in every format but HTML (``PageGoldenTests``).
private struct Printed {
    let lines: [String]
    let document: JSONValue
    let csv: CSVText
}

@Suite("The reports of a hand-made day") struct ReportGoldenTests {
    private static let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)

    /// By the name of the golden files.
    private static func reports() throws -> [String: Printed] {
        func funnel(by dimension: Reports.Dimension?) throws -> Printed {
            let report = try HandMadeDay.funnel(by: dimension)
            return Printed(
                lines: FunnelTable(report, style).lines, document: report.document,
                csv: CounterCSV.text(of: report))
        }
        let clicks = try HandMadeDay.clicks(by: .campaign)
        let (reach, sketched) = (try HandMadeDay.reach(by: .campaign), try HandMadeDay.sketchedReach())
        let (latency, compared) = (try HandMadeDay.latency(), try HandMadeDay.comparedLatency())
        let (loss, rejections) = (try HandMadeDay.loss(), try HandMadeDay.rejections())
        let (health, waterfall) = (try HandMadeDay.extensionHealth(), try HandMadeDay.waterfall())
        return [
            "funnel": try funnel(by: nil),
            "funnel-by-campaign": try funnel(by: .campaign),
            "funnel-by-hour": try funnel(by: .hour),
            "clicks-by-campaign": Printed(
                lines: ClicksTable(clicks, style).lines, document: clicks.document,
                csv: CounterCSV.text(of: clicks)),
            "reach-by-campaign": Printed(
                lines: ReachTable(reach, style).lines, document: reach.document, csv: ReachCSV.text(of: reach)
            ),
            "reach-sketched": Printed(
                lines: ReachTable(sketched, style).lines, document: sketched.document,
                csv: ReachCSV.text(of: sketched)),
            "loss": Printed(
                lines: LossTable(loss, style).lines, document: loss.document, csv: LossCSV.text(of: loss)),
            "rejections": Printed(
                lines: RejectionsTable(rejections, style).lines, document: rejections.document,
                csv: RejectionsCSV.text(of: rejections)),
            "latency": Printed(
                lines: LatencyTable(latency, style).lines, document: latency.document,
                csv: LatencyCSV.text(of: latency)),
            "latency-compared": Printed(
                lines: LatencyTable(compared, style).lines, document: compared.document,
                csv: LatencyCSV.text(of: compared)),
            "extension": Printed(
                lines: ExtensionTable(health, style).lines, document: health.document,
                csv: ExtensionCSV.text(of: health)),
            "tokens": Printed(
                lines: TokenStatusTable(HandMadeDay.tokens, style).lines,
                document: HandMadeDay.tokens.document,
                csv: TokenStatusCSV.text(of: HandMadeDay.tokens)),
            "zombies": Printed(
                lines: ZombieTable(HandMadeDay.zombies, style).lines, document: HandMadeDay.zombies.document,
                csv: ZombieCSV.text(of: HandMadeDay.zombies)),
            "deaths": Printed(
                lines: HandMadeDay.deaths.lines(style), document: HandMadeDay.deaths.document,
                csv: HandMadeDay.deaths.csv),
            "waterfall": Printed(
                lines: WaterfallTable(waterfall, style).lines, document: waterfall.document,
                csv: WaterfallCSV.text(of: waterfall)),
        ]
    }

    @Test("match their golden files as text, NDJSON and CSV, and fit the terminal")
    func golden() throws {
        for (name, report) in try Self.reports() {
            for line in report.lines { #expect(displayWidth(line) <= 100) }
            try GoldenFile.expect(report.lines, "text/\(name).txt")
            try GoldenFile.expect(report.document.linesText, "json/\(name).ndjson")
            try GoldenFile.expect(text: report.csv.text, "csv/\(name).csv")
        }
    }

    @Test("are the same document indented as on one line", arguments: ["funnel", "loss"])
    func indented(golden name: String) throws {
        let reports = try Self.reports()
        try GoldenFile.expect([try #require(reports[name]).document.indentedText], "json/\(name).json")
        for (name, report) in reports {
            let indented = try JSONSerialization.jsonObject(with: Data(report.document.indentedText.utf8))
            let line = try JSONSerialization.jsonObject(with: Data(report.document.lineText.utf8))
            #expect((indented as? NSDictionary) == (line as? NSDictionary), "\(name)")
        }
    }
}
