import Documents
import Foundation
import Reports
import Testing

@testable import Dashboards

/// Every report of a hand-made day, in every format, compared with golden files.
@Suite("The reports of a hand-made day") struct ReportGoldenTests {
    private let style = OutputStyle(usesUnicode: true, usesColour: false, width: 100)

    private func expect(
        _ name: String, lines: [String], document: JSONValue, csv: CSVText
    ) throws {
        for line in lines { #expect(displayWidth(line) <= 100) }
        try GoldenFile.expect(lines, "text/\(name).txt")
        try GoldenFile.expect([document.indentedText], "json/\(name).json")
        try GoldenFile.expect(document.linesText, "json/\(name).ndjson")
        try GoldenFile.expect(text: csv.text, "csv/\(name).csv")
    }

    @Test(
        "the funnel matches its golden files",
        arguments: [
            (nil, "funnel"), (.campaign, "funnel-by-campaign"), (.hour, "funnel-by-hour"),
        ] as [(Reports.Dimension?, String)])
    func funnel(dimension: Reports.Dimension?, name: String) throws {
        let report = try HandMadeDay.funnel(by: dimension)
        try expect(
            name, lines: FunnelTable(report, style).lines, document: report.document,
            csv: CounterCSV.text(of: report))
    }

    @Test("the clicks match their golden files")
    func clicks() throws {
        let report = try HandMadeDay.clicks(by: .campaign)
        try expect(
            "clicks-by-campaign", lines: ClicksTable(report, style).lines, document: report.document,
            csv: CounterCSV.text(of: report))
    }

    @Test("the reach matches its golden files")
    func reach() throws {
        let report = try HandMadeDay.reach(by: .campaign)
        try expect(
            "reach-by-campaign", lines: ReachTable(report, style).lines, document: report.document,
            csv: ReachCSV.text(of: report))
    }

    @Test("the reach of four weeks, from sketches, matches its golden files")
    func sketchedReach() throws {
        let report = try HandMadeDay.sketchedReach()
        try expect(
            "reach-sketched", lines: ReachTable(report, style).lines, document: report.document,
            csv: ReachCSV.text(of: report))
    }

    @Test("the losses match their golden files")
    func loss() throws {
        let report = try HandMadeDay.loss()
        try expect(
            "loss", lines: LossTable(report, style).lines, document: report.document,
            csv: LossCSV.text(of: report))
    }

    @Test("the rejections match their golden files")
    func rejections() throws {
        let report = try HandMadeDay.rejections()
        try expect(
            "rejections", lines: RejectionsTable(report, style).lines, document: report.document,
            csv: RejectionsCSV.text(of: report))
    }

    @Test("the latencies match their golden files")
    func latency() throws {
        let report = try HandMadeDay.latency()
        try expect(
            "latency", lines: LatencyTable(report, style).lines, document: report.document,
            csv: LatencyCSV.text(of: report))
    }

    @Test("the latencies match their golden files, compared with the day before")
    func comparedLatency() throws {
        let report = try HandMadeDay.comparedLatency()
        try expect(
            "latency-compared", lines: LatencyTable(report, style).lines, document: report.document,
            csv: LatencyCSV.text(of: report))
    }

    @Test("the health of extensions matches its golden files")
    func extensionHealth() throws {
        let report = try HandMadeDay.extensionHealth()
        try expect(
            "extension", lines: ExtensionTable(report, style).lines, document: report.document,
            csv: ExtensionCSV.text(of: report))
    }

    @Test("the tokens match their golden files")
    func tokens() throws {
        let report = HandMadeDay.tokens
        try expect(
            "tokens", lines: TokenStatusTable(report, style).lines, document: report.document,
            csv: TokenStatusCSV.text(of: report))
    }

    @Test("the zombies match their golden files")
    func zombies() throws {
        let report = HandMadeDay.zombies
        try expect(
            "zombies", lines: ZombieTable(report, style).lines, document: report.document,
            csv: ZombieCSV.text(of: report))
    }

    @Test("the false deaths match their golden files")
    func deaths() throws {
        let report = HandMadeDay.deaths
        try expect(
            "deaths", lines: report.lines(style), document: report.document, csv: report.csv)
    }

    @Test("the waterfall matches its golden files")
    func waterfall() throws {
        let report = try HandMadeDay.waterfall()
        try expect(
            "waterfall", lines: WaterfallTable(report, style).lines, document: report.document,
            csv: WaterfallCSV.text(of: report))
    }
}
