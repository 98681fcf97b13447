import DeliveryModel
import Testing

@testable import Rendering
@testable import Reports

/// A day of a shop, and the day before it.
private func dayQuery(by dimensions: [Dimension], comparesWithPrevious: Bool = false) throws -> ReportQuery {
    let from = Instant(millisecondsSinceEpoch: 1_772_319_600_000)
    return try ReportQuery(
        app: App(appID: 1, slug: "shop"), window: ReportWindow(from: from, to: from + .days(1)),
        timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions,
        filters: [ReportFilter(.campaign, ["spring"])],
        comparison: comparesWithPrevious ? ReportWindow(from: from - .days(1), to: from) : nil)
}

private func frame(_ report: String, _ query: ReportQuery) -> ReportFrame {
    ReportFrame(report: report, query: query, unit: .notifications, asOf: query.window.from + .hours(12))
}

private func counts(_ states: [(DeliveryState, Int64)]) -> MeasureCounts {
    var counts = MeasureCounts()
    for (state, count) in states { counts.add(count, in: state) }
    return counts
}

@Suite("Losses on a terminal")
struct LossTableTests {
    private let counted = LossCounts(
        counts: counts([
            ([.attempted, .accepted, .canReport, .arrived], 1_400),
            ([.attempted, .accepted, .canReport, .arrived, .clicked], 300),
            ([.attempted, .accepted, .canReport], 100), ([.attempted, .rejected(.tokenDead)], 200),
        ]), losses: [.notCapable: 40, .superseded: 10, .pending: 20, .unexplained: 30])

    private func report(by dimensions: [Dimension], compares: Bool = false) throws -> LossReport {
        let query = try dayQuery(by: dimensions, comparesWithPrevious: compares)
        let key = RowKey(
            dimensions.map { .init($0, $0.isPeriod ? "2026-03-01" : "long name " + $0.rawValue) })
        let rows = dimensions.isEmpty ? [] : [LossReport.Row(key: key, counts: counted)]
        let plain = try LossReport(frame: frame("loss", query), rows: rows, totals: counted, unmatched: 7)
        let before = ReportComparison.Side(
            query: query.with(window: query.comparison ?? query.window), rows: [], totals: plain.totalFigures,
            nothing: plain.side.nothing)
        return try LossReport(
            frame: plain.frame, rows: rows, totals: counted, unmatched: 7,
            completeness: Completeness(young: 180, accepted: 1_800),
            comparison: compares ? ReportComparison(now: plain.side, before: before) : nil)
    }

    private func lines(_ width: Int?, by dimensions: [Dimension] = [], compares: Bool = false) throws
        -> [String]
    {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: width)
        return try report(by: dimensions, compares: compares).lines(style)
    }

    @Test("are indented below the level they are taken from, each with its share")
    func picture() throws {
        let picture = try lines(100)
        let level = try #require(picture.first { $0.hasPrefix("  accepted") })
        let loss = try #require(picture.first { $0.hasPrefix("    not capable") })
        #expect(level.contains("1,800   90.0 %  ████"))
        #expect(loss.contains("-40    2.2 %  "))
        #expect(displayWidth(loss) <= displayWidth(level) + 1)
        #expect(picture.contains { $0.hasPrefix("    token_dead") && $0.contains("-200   10.0 %") })
        #expect(picture.contains { $0.contains("sent to versions of the app that do not report") })
        #expect(
            picture.contains { $0.hasPrefix("  10.0 % of the accepted notifications are younger than 24 h:") }
        )
    }

    @Test("fit the terminal", arguments: [60, 80, 100, 160])
    func fits(width: Int) throws {
        for dimensions in [[], [.day], [.day, .appVersion], [.topic, .platform]] as [[Dimension]] {
            for line in try lines(width, by: dimensions, compares: true) {
                #expect(displayWidth(line) <= width, "\(line)")
            }
        }
    }

    @Test("are plain ASCII on request, except for names")
    func ascii() throws {
        let style = OutputStyle(usesUnicode: false, usesColor: false)
        let text = try report(by: [.day], compares: true).lines(style).joined(separator: "\n")
        #expect(text.utf8.allSatisfy { $0 < 128 })
    }

    @Test("have a column each in CSV, and one for the previous window with --compare")
    func csv() throws {
        let rows = try report(by: [.day], compares: true).csv.text.split(separator: "\r\n")
        #expect(rows[0].hasPrefix("day,attempted,rejected_token_dead,"))
        #expect(rows[0].contains(",superseded,pending,unexplained,confirmed,clicked,acceptance,"))
        #expect(rows[0].contains(",attempted_previous,"))
        let widths = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(Set(widths).count == 1)
        let plain = try report(by: []).csv.text.split(separator: "\r\n")
        #expect(plain.count == 2)
        #expect(plain[1].contains(",40,0,10,20,30,1700,300,") == false)
        #expect(plain[1].contains(",40,,10,20,30,1700,300,"))
    }
}

@Suite("Variants and windows on a terminal")
struct ComparisonTableTests {
    private func report(by dimensions: [Dimension], compares: Bool) throws -> FunnelReport {
        let query = try dayQuery(by: dimensions, comparesWithPrevious: compares)
        let rows = [("A", 48, 80), ("B", 56, 70), ("C", 1, 9)].map { name, clicked, confirmed in
            CountedRow(
                key: RowKey(dimensions.map { .init($0, $0 == .variant ? name : "2026-03-01") }),
                counts: counts([
                    ([.attempted, .accepted, .canReport, .arrived], Int64(confirmed - clicked)),
                    ([.attempted, .accepted, .canReport, .arrived, .clicked], Int64(clicked)),
                ]))
        }
        var totals = MeasureCounts()
        for row in rows { totals += row.counts }
        let plain = try FunnelReport(frame: frame("funnel", query), rows: rows, totals: totals, unmatched: 0)
        let earlier = counts([([.attempted, .accepted, .canReport, .arrived], 100)])
        let before = try FunnelReport(
            frame: frame("funnel", query.with(window: query.comparison ?? query.window)),
            rows: [CountedRow(key: rows[0].key, counts: earlier)], totals: earlier, unmatched: 0)
        return try FunnelReport(
            frame: plain.frame, rows: rows, totals: totals, unmatched: 0,
            context: CounterContext(
                comparison: compares ? ReportComparison(now: plain.side, before: before.side) : nil))
    }

    private func lines(_ width: Int?, compares: Bool = true) throws -> [String] {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: width)
        return try report(by: [.variant], compares: compares).lines(style)
    }

    @Test("compare each variant with the control, with the test's name and no winner")
    func variants() throws {
        let page = try lines(140, compares: false)
        let text = page.joined(separator: "\n")
        #expect(
            text.contains(
                "Click-through of each variant against A: two-proportion z-test, p with Holm's correction"))
        #expect(text.contains("No winner is declared."))
        let last = try #require(page.last { $0.hasPrefix("B ") })
        #expect(
            last.contains("+33.3 %") && last.contains("▲ 20.0 pp (5.2 to 33.4)") && last.hasSuffix("0.008"))
        #expect(try #require(page.last { $0.hasPrefix("C ") }).hasSuffix("not enough data"))
    }

    @Test("show the previous value, the current value and the change, in the totals and in each row")
    func windows() throws {
        let page = try lines(140)
        #expect(page.contains("Compared with 2026-02-28 00:00 +01:00 → 2026-03-01 00:00 +01:00"))
        #expect(
            page.contains {
                $0.hasPrefix("Attempted") && $0.contains(" 100 ") && $0.hasSuffix("▲ 59 (+59.0 %)")
            })
        #expect(page.contains { $0.hasPrefix("Click through") && $0.contains("▲ 66.0 pp (") })
        #expect(page.contains { $0.hasPrefix("A ") && $0.contains("▼ 20 (-20.0 %)") })
    }

    @Test("fit the terminal", arguments: [60, 80, 100, 160])
    func fits(width: Int) throws {
        for line in try lines(width) { #expect(displayWidth(line) <= width, "\(line)") }
    }

    @Test("keep the sign of changes below one percent")
    func signs() {
        let style = OutputStyle(usesUnicode: true, usesColor: false)
        let fewer = ProportionDifference(from: Proportion(500, of: 10_000), to: Proportion(420, of: 10_000))
        #expect(ChangeText.rate(fewer, style) == "▼ 0.8 pp (-1.4 to -0.2)")
        #expect(percent(-0.000_4) == "0.0")
        #expect(percent(-0.005) == "-0.5")
        #expect(percent(-0.123) == "-12.3")
    }

    @Test("have the previous window's figures next to the current ones in CSV")
    func csv() throws {
        let rows = try report(by: [.variant], compares: true).csv.text.split(
            separator: "\r\n")
        #expect(rows.count == 4)
        #expect(
            rows[0].contains(
                ",arrival_capable,arrival_capable_low,arrival_capable_high,coverage,arrival_estimated,"))
        #expect(
            rows[0].contains(
                ",acceptance_previous,acceptance_change,acceptance_change_low,acceptance_change_high,"))
        let widths = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
        #expect(Set(widths).count == 1)
    }
}

@Suite("The health of extensions on a terminal")
struct ExtensionTableTests {
    private func report() throws -> ExtensionReport {
        func row(_ version: String, _ states: [(DeliveryState, Int64)], _ health: ExtensionReport.Health)
            -> ExtensionReport.Row
        {
            let all = counts(states)
            var counted = MeasureCounts()
            for measure in CapableCounters.measures { counted[measure] = all[measure] }
            return .init(
                key: RowKey([.init(.platform, "ios"), .init(.appVersion, version), .init(.osVersion, nil)]),
                counts: counted, health: health,
                lastReportedAt: health == .reports ? Instant(millisecondsSinceEpoch: 1_772_360_100_000) : nil)
        }
        let rows = [
            row("6.9.2", [([.attempted, .accepted, .canReport], 300)], .neverReports),
            row(
                "7.2.0",
                [
                    ([.attempted, .accepted, .canReport, .arrived, .clicked], 90),
                    ([.attempted, .accepted, .canReport, .clicked], 10),
                ], .reports),
        ]
        var totals = MeasureCounts()
        for row in rows { totals += row.counts }
        return try ExtensionReport(
            frame: frame("extension", try dayQuery(by: [])), rows: rows, totals: totals)
    }

    @Test("has a line per version, the newest first, and says which never report")
    func lines() throws {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: 160)
        let lines = try report().lines(style)
        let rows = lines.filter { $0.hasPrefix("ios") }
        #expect(rows.count == 2)
        #expect(rows[0].contains("7.2.0") && rows[0].contains("90.0 %") && rows[0].hasSuffix("reports"))
        #expect(rows[0].contains("2026-03-01 11:15"))
        #expect(rows[1].hasSuffix("never reports"))
        #expect(
            lines.contains { $0.contains("never reports") && $0.contains("300") && $0.contains("without") }
        )
    }

    @Test("a version with too few pushes is called too few, not silent in red")
    func tooFew() throws {
        func line(_ reportable: Int64, _ health: ExtensionReport.Health) throws -> String {
            let row = ExtensionReport.Row(
                key: RowKey([.init(.platform, "ios"), .init(.appVersion, "7.3"), .init(.osVersion, nil)]),
                counts: counts([([.attempted, .accepted, .canReport], reportable)]), health: health,
                lastReportedAt: nil)
            let report = try ExtensionReport(
                frame: frame("extension", try dayQuery(by: [])), rows: [row], totals: row.counts)
            let style = OutputStyle(usesUnicode: true, usesColor: true, width: 160)
            return try #require(report.lines(style).first { $0.hasPrefix("ios") })
        }
        #expect(try line(49, .tooFew).hasSuffix("too few"))
        #expect(try line(50, .silent).hasSuffix("\u{1B}[31msilent\u{1B}[0m"))
    }

    @Test("fits the terminal", arguments: [60, 80, 120])
    func fits(width: Int) throws {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: width)
        for line in try report().lines(style) {
            #expect(displayWidth(line) <= width, "\(line)")
        }
    }

    @Test("has the three key columns first and no totals in CSV")
    func csv() throws {
        let rows = try report().csv.text.split(separator: "\r\n")
        #expect(rows.count == 3)
        #expect(rows[0].hasPrefix("platform,app_version,os_version,accepted,reportable,"))
        #expect(rows[1].hasPrefix("ios,7.2.0,,100,100,90,10,100,"))
        #expect(rows[1].contains(",reports,2026-03-01T11:15:00+01:00,,,,shop,"))
    }
}
