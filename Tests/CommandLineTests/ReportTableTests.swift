import DeliveryModel
import Testing

@testable import Rendering
@testable import Reports

@Suite("The funnel on a terminal")
struct FunnelTableTests {
    private func report(by dimensions: [Dimension]) throws -> FunnelReport {
        var totals = MeasureCounts()
        totals.add(1_500, in: [.attempted, .accepted, .canReport, .arrived])
        totals.add(300, in: [.attempted, .accepted, .canReport, .arrived, .clicked])
        totals.add(200, in: [.attempted, .rejected(.tokenDead)])
        let from = Instant(millisecondsSinceEpoch: 1_772_319_600_000)
        let query = try ReportQuery(
            app: App(appID: 1, slug: "shop"), window: ReportWindow(from: from, to: from + .days(1)),
            timeZone: ReportTimeZone("Europe/Berlin"), by: dimensions)
        let values: [Dimension: String] = [
            .day: "2026-03-01", .month: "2026-03-01", .hour: "2026-03-01T02:00:00+01:00",
            .variant: String(repeating: "long ", count: 51),
        ]
        let key = RowKey(dimensions.map { .init($0, values[$0]) })
        return try FunnelReport(
            frame: ReportFrame(report: "funnel", query: query, unit: .notifications, asOf: from + .hours(12)),
            rows: dimensions.isEmpty ? [] : [CountedRow(key: key, counts: totals)], totals: totals,
            unmatched: 7)
    }

    @Test("mentions misdirected and unsigned notifications, only if there are any")
    func trust() throws {
        func lines(_ totals: MeasureCounts) throws -> [String] {
            let report = try FunnelReport(
                frame: report(by: []).frame, rows: [], totals: totals, unmatched: 0)
            return report.lines(OutputStyle(usesUnicode: true, usesColor: false, width: 200))
        }
        var totals = MeasureCounts()
        totals.add(30, in: [.attempted, .accepted, .clicked])
        #expect(try !lines(totals).contains { $0.contains("misdirected") || $0.contains("unsigned") })
        totals.add(10, in: [.attempted, .accepted, .clicked, .signed])
        totals.add(7, in: [.attempted, .accepted, .misdirected])
        let told = try lines(totals)
        #expect(told.contains { $0.contains("misdirected") && $0.contains(" 7  ") })
        #expect(told.contains { $0.contains("unsigned") && $0.contains(" 30  75.0 % of confirmed") })
    }

    @Test("marks a click-through of little significance, in the total and in its row, and says why")
    func clickThroughMark() throws {
        var blind = MeasureCounts()
        blind.add(39, in: [.attempted, .accepted])
        blind.add(61, in: [.attempted, .accepted, .clicked])
        var seen = MeasureCounts()
        seen.add(300, in: [.attempted, .accepted, .canReport, .arrived, .clicked])
        seen.add(1_500, in: [.attempted, .accepted, .canReport, .arrived])
        var totals = blind
        totals += seen
        let rows = [("blind", blind), ("seen", seen)].map {
            CountedRow(key: RowKey([.init(.campaign, $0.0)]), counts: $0.1)
        }
        let frame = try report(by: [.campaign]).frame
        let local = UnmatchedCounts(unmatched: 7, local: 5)
        func text(_ rows: [CountedRow], _ totals: MeasureCounts) throws -> [String] {
            let report = try FunnelReport(frame: frame, rows: rows, totals: totals, unmatched: local)
            return report.lines(OutputStyle(usesUnicode: true, usesColor: false, width: 200))
        }
        let mixed = try text(rows, totals)
        #expect(mixed.first { $0.hasPrefix("blind") }?.contains("!") == true)
        #expect(mixed.first { $0.hasPrefix("seen") }?.contains("!") == false)
        #expect(mixed.contains { $0.contains("click-through !") && $0.contains("1 of 2 rows") })
        #expect(mixed.contains { $0.contains("local") && $0.contains("5  shown by the app itself") })
        let alone = try text([rows[0]], blind)
        #expect(alone.contains { $0.contains("clicked") && $0.hasSuffix("of confirmed !") })
        #expect(alone.contains { $0.contains("click-through !") && $0.contains("100.0 %") })
        #expect(try !text([rows[1]], seen).contains { $0.contains("!") })
    }

    private func lines(_ width: Int?, by dimensions: [Dimension] = [.day, .campaign]) throws -> [String] {
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: width)
        return try report(by: dimensions).lines(style)
    }

    @Test("states its window, time zone and cohort, its instant, and that it is exact")
    func heading() throws {
        #expect(
            try lines(100).prefix(5) == [
                "Funnel · shop",
                "  window   2026-03-01 00:00 +01:00 → 2026-03-02 00:00 +01:00, Europe/Berlin",
                "  cohort   by the instant of sending (sent_at), however late an arrival or click",
                "  counted  notifications, exact, as of 2026-03-01 12:00 +01:00",
                "  rates    with their 95 % intervals (Wilson) in brackets",
            ])
    }

    @Test("names the periods that its window cuts short, as the table names them")
    func cutShort() throws {
        let months = try lines(100, by: [.month])
        #expect(months[2] == "           cut short: month 2026-03")
        #expect(try lines(100, by: [.day])[2].contains("cut short") == false)
    }

    @Test("shows stages with bars, shares and intervals")
    func stages() throws {
        let picture = try lines(100)
        #expect(picture.contains { $0.hasPrefix("  attempted") && $0.contains("████  2,000") })
        #expect(picture.contains { $0.hasSuffix("1,800  90.0 % (88.6–91.2) of attempted") })
        #expect(picture.contains { $0.hasSuffix("300  16.7 % (15.0–18.5) of confirmed") })
        #expect(picture.contains { $0.hasPrefix("    token_dead") })
    }

    @Test("fits the terminal", arguments: [60, 80, 100, 120, 200])
    func fits(width: Int) throws {
        for dimensions in [[], [.hour, .variant], [.day, .campaign], [.campaign, .variant]] as [[Dimension]] {
            for line in try lines(width, by: dimensions) { #expect(displayWidth(line) <= width, "\(line)") }
        }
    }

    @Test("leaves intervals out below 80 columns, and says so")
    func narrow() throws {
        let picture = try lines(60)
        #expect(picture.contains { $0.hasSuffix("300  16.7 % of confirmed") })
        #expect(!picture.contains { $0.contains("(88.6") })
        #expect(picture.contains { $0.contains("no room for their 95 % intervals") })
    }

    @Test("is plain ASCII on request")
    func ascii() throws {
        let style = OutputStyle(usesUnicode: false, usesColor: false)
        let text = try report(by: [.day]).lines(style).joined(separator: "\n")
        #expect(text.utf8.allSatisfy { $0 < 128 })
    }

    @Test("has a CSV line per row, or one for totals, each with its window")
    func csv() throws {
        let rows = try report(by: [.day, .campaign]).csv.text.split(separator: "\r\n")
        #expect(rows.count == 2)
        #expect(rows[0].hasPrefix("day,campaign,attempted,accepted,rejected_token_dead,"))
        #expect(rows[1].hasPrefix("2026-03-01,,2000,1800,200,0,"))
        #expect(rows[1].contains(",shop,notifications,2026-03-01T00:00:00+01:00,2026-03-02T00:00:00+01:00,"))
        let totals = try report(by: []).csv.text.split(separator: "\r\n")
        #expect(totals.count == 2)
        #expect(totals[1].hasPrefix("2000,1800,200,"))
        #expect(
            totals[0].split(separator: ",").count
                == totals[1].split(separator: ",", omittingEmptySubsequences: false).count)
    }

    @Test(
        "shows periods in everyday notation",
        arguments: [
            (RowKey.Part(.day, "2026-03-01"), "Sun 2026-03-01"),
            (RowKey.Part(.hour, "2026-10-25T02:00:00+02:00"), "2026-10-25 02:00 +02:00"),
            (RowKey.Part(.month, "2026-03-01"), "2026-03"), (RowKey.Part(.campaign, nil), "(none)"),
        ])
    func keys(part: RowKey.Part, expected: String) {
        #expect(part.text == expected)
    }
}
