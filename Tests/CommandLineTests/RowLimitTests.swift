import ChildPrograms
import DeliveryModel
import TestDatabase
import Testing

@testable import Rendering
@testable import Reports

@Suite("Rows of a report")
struct RowLimitTests {
    private func style(_ limit: Int?, keepsLatest: Bool = false, width: Int? = 100) -> OutputStyle {
        var style = OutputStyle(usesUnicode: true, usesColor: false, width: width)
        style.rowLimit = limit.map { .init(count: $0, keepsLatest: keepsLatest) }
        return style
    }

    private func names(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            ["spring", "夏", "<script>", "(none)", "=SUM", "Total"].first { line.hasPrefix($0) }
        }
    }

    @Test("are as many as requested, with the number of the others and how to get them")
    func limited() throws {
        let table = try HandMadeDay.funnel(by: .campaign).lines(style(2, width: nil))
        #expect(names(table) == ["spring", "夏", "Total"])
        #expect(table.contains("3 more rows: --limit 5"))
        for line in try HandMadeDay.funnel(by: .campaign).lines(style(5)) {
            #expect(!line.contains("--limit"))
        }
        for line in try HandMadeDay.funnel(by: .campaign).lines(style(nil)) {
            #expect(!line.contains("--limit"))
        }
    }

    @Test("are the latest ones if they are periods")
    func periods() throws {
        let report = try HandMadeDay.funnel(by: .hour)
        #expect(RowOrder().keepsLatest(report.frame.query))
        #expect(!RowOrder(sort: "clicked").keepsLatest(report.frame.query))
        let lines = report.lines(style(1, keepsLatest: true))
        #expect(lines.contains("7 earlier rows: --limit 8"))
        #expect(lines.contains { $0.hasPrefix("2026-03-01 20:00") })
        #expect(!lines.contains { $0.hasPrefix("2026-03-01 19:00") })
    }

    @Test("can be sorted by any count or rate, in every format")
    func sorted() throws {
        var report = try HandMadeDay.funnel(by: .campaign)
        let usual = report.rows.map(\.key)
        try report.arrange(RowOrder(sort: "attempted"))
        #expect(report.rows.map(\.key) == usual)
        try report.arrange(RowOrder(sort: "click-through", limit: 2))
        let rates = report.rows.map { Rate.clickThrough.proportion(in: $0.counts).value ?? 0 }
        #expect(rates == rates.sorted(by: >))
        #expect(report.rows.count == 2)
        #expect(report.document.lines(of: "rows").count == 3)
        #expect(report.document.lineText.contains(#""rows_left_out":3"#))
        #expect(report.csv.text.split(separator: "\r\n").count == 3)
    }

    @Test("cannot be sorted by a figure they lack; every report lists the figures it has")
    func unsortable() throws {
        var funnel = try HandMadeDay.funnel(by: .campaign)
        #expect(throws: ReportError.self) { try funnel.arrange(RowOrder(sort: "clickd")) }
        do {
            try funnel.arrange(RowOrder(sort: "clickd"))
        } catch {
            #expect(error.isMistakeInQuestion)
            #expect(error.description.contains("(did you mean 'clicked'?)"))
            #expect(error.description.contains("click_through"))
        }
        for (id, report) in [
            ("dismissal", try HandMadeDay.clicks(by: .campaign)),
            ("reach", try HandMadeDay.reach(by: .campaign)),
            ("share", try HandMadeDay.rejections()), ("receipt_loss", try HandMadeDay.extensionHealth()),
            ("pending", try HandMadeDay.loss()), ("arrival_p90_ms", try HandMadeDay.latency()),
        ] as [(String, any Report)] {
            var report = report
            #expect(throws: Never.self, "\(id)") { try report.arrange(RowOrder(sort: id)) }
        }
    }

    @Test("cannot be sorted by a figure that no report has, even if there are none", .database)
    func unsortableNothing() throws {
        let folder = try ThrowawayFolder.create(for: "no-rows")
        defer { try? folder.remove() }
        let program = LandfallProgram(
            folder: folder.url, environment: TestDatabase.current.variables)
        #expect(try program.run("app", "create", "shop").status == 0)
        for report in [
            "funnel", "reach", "clicks", "loss", "rejections", "latency", "extension", "permissions",
        ] {
            let ending = try program.run(report, "--app", "shop", "--sort", "nonsense")
            #expect(ending.status == 64, "\(report)")
            #expect(ending.notes.contains("nonsense"), "\(ending.notes)")
        }
        #expect(
            try program.run("clicks", "--app", "shop", "--by", "action", "--sort", "nonsense").status == 64)
        #expect(try program.run("funnel", "--app", "shop", "--sort", "clicked").status == 0)
    }

    @Test("are not as wide as their longest name, wherever they are printed", arguments: [nil, 220, 80])
    func longName(width: Int?) {
        var table = TextTable([
            .init("Response", isNumber: false, group: 0, isName: true), .init("Rejected", group: 1),
        ])
        table.rows = [
            [.init(String(repeating: "reason ", count: 37)), .init("7")],
            [.init("Unregistered"), .init("3")],
        ]
        for line in table.lines(style(nil, width: width)) { #expect(displayWidth(line) <= 85, "\(line)") }
    }

    @Test("have a title above their bars")
    func barTitles() throws {
        let lines = try HandMadeDay.funnel(by: .campaign).lines(style(nil, width: 140))
        #expect(lines.contains { $0.contains("of largest") && $0.contains("Attempted") })
        let clicks = try HandMadeDay.clicks(by: .campaign).lines(style(nil, width: 140))
        #expect(clicks.contains { $0.contains("of highest") })
    }
}
