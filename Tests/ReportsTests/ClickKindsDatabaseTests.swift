import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Clicks by what is known of them", .database)
struct ClickKindsDatabaseTests {
    private var database: TestDatabase { .current }

    private let clicked: DeliveryState = [.attempted, .accepted, .clicked]

    private func clicks(by: [String], _ filters: [ReportFilter] = [], compare: String? = nil) async throws
        -> ClickKindsReport
    {
        let request = ReportRequest(
            from: "2026-03-01", to: "2026-03-03", by: by, filters: filters, compare: compare)
        return try await database.ask(request) { try ClickKindsReport.run($0, on: $1, now: $2) }
    }

    private func sendSome() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        for (number, click) in [
            ("2026-03-01T10:00:00Z", 2, "reply", "chat", "background", true),
            ("2026-03-01T11:00:00Z", 2, "reply", "chat", "foreground", true),
            // An app that states the state from before the tap.
            ("2026-03-01T12:00:00Z", 3, nil, "chat", "background", nil),
            ("2026-03-02T10:00:00Z", 4, nil, nil, nil, false),
            ("2026-02-28T10:00:00Z", 4, "mute", nil, "background", nil),
        ].enumerated() as EnumeratedSequence<[(String, Int64, String?, String?, String?, Bool?)]> {
            let sent = SentNotification(click.0, clicked, campaign: click.1, segment: number == 3 ? 2 : 1)
            try await database.add([sent])
            try await database.execute(
                """
                UPDATE landfall.delivery SET action = $2, category = $3, app_state = $4, has_text = $5 WHERE sent_at = $1
                """,
                [
                    .value(instant(click.0)), .value(click.2), .value(click.3), .value(click.4),
                    .value(click.5),
                ])
        }
        // What is known of a click that is not accepted, or not there, counts nowhere.
        try await database.add([
            .init("2026-03-01T13:00:00Z", [.attempted, .rejected(.throttled), .clicked]),
            .init("2026-03-01T14:00:00Z", [.attempted, .accepted]),
        ])
        try await database.execute(
            "UPDATE landfall.delivery SET action = 'reply' WHERE sent_at >= '2026-03-01T13:00:00Z' AND sent_at < '2026-03-02'"
        )
    }

    private func lines(_ report: ClickKindsReport) -> [String] {
        report.rows.map { row in
            let key = row.key.parts.map { $0.value ?? "-" }.joined(separator: " ")
            return
                "\(key): \(row.clicks.clicked) \(row.clicks.opened) \(row.clicks.background) \(row.clicks.withText)"
        }
    }

    @Test("are told apart by action, category and state of the app, the most frequent first")
    func kinds() async throws {
        try await sendSome()
        #expect(lines(try await clicks(by: ["action"])) == ["-: 2 2 0 0", "reply: 2 1 1 2"])
        #expect(lines(try await clicks(by: ["category"])) == ["chat: 3 2 1 2", "-: 1 1 0 0"])
        #expect(
            lines(try await clicks(by: ["app_state"])) == [
                "background: 2 1 1 1", "-: 1 1 0 0", "foreground: 1 1 0 1",
            ])
        let totals = try await clicks(by: ["action"]).totals
        #expect(totals == ClickKinds(clicked: 4, opened: 3, withText: 2))
    }

    @Test("can be combined with one more dimension, in either order")
    func combined() async throws {
        try await sendSome()
        #expect(
            lines(try await clicks(by: ["day", "action"])) == [
                "2026-03-01 reply: 2 1 1 2", "2026-03-01 -: 1 1 0 0", "2026-03-02 -: 1 1 0 0",
            ])
        #expect(
            lines(try await clicks(by: ["app_state", "campaign"])).contains("foreground spring: 1 1 0 1"))
        #expect(
            Set(lines(try await clicks(by: ["category", "app_version"])))
                .isSuperset(of: ["chat 7.2.0: 3 2 1 2"]))
        #expect(
            lines(try await clicks(by: ["action", "category"])) == [
                "reply chat: 2 1 1 2", "- -: 1 1 0 0", "- chat: 1 1 0 0",
            ])
    }

    @Test("follow filters, sorting and comparison")
    func arranged() async throws {
        try await sendSome()
        let spring = try await clicks(by: ["action"], [ReportFilter(.campaign, ["spring"])])
        #expect(lines(spring) == ["reply: 2 1 1 2", "-: 1 1 0 0"])
        var sorted = try await clicks(by: ["action"])
        try sorted.arrange(RowOrder(sort: "with_text", limit: 1))
        #expect(lines(sorted) == ["reply: 2 1 1 2"])
        #expect(sorted.frame.rowsLeftOut == 1)
        let compared = try await clicks(by: ["action"], compare: "previous")
        let rows = try #require(compared.comparison?.rows)
        #expect(
            Set(rows.compactMap { $0.key ?? $0.previousKey }.map { $0.parts[0].value ?? "-" }) == [
                "-", "reply", "mute",
            ])
    }

    @Test("has the counts and the share of all clicks in its document")
    func document() async throws {
        try await sendSome()
        let text = try await clicks(by: ["action"]).document.lineText
        #expect(text.contains(#""report":"clicks""#))
        #expect(
            text.contains(
                #"{"key":{"action":"reply"},"counts":{"clicked":2,"opened":1,"background":1,"with_text":2},"rates":{"click_share":{"numerator":2,"denominator":4,"value":0.5"#
            ))
    }

    @Test("are rejected if they contradict the counters")
    func contradiction() async throws {
        try await sendSome()
        try await database.execute("DELETE FROM landfall.delivery WHERE sent_at = '2026-03-01T10:00:00Z'")
        await #expect(throws: ReportError.self) { _ = try await clicks(by: ["action"]) }
    }

    @Test("are not counted if notifications of the window are no longer kept")
    func dropped() async throws {
        try await sendSome()
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-01')")
        await #expect(throws: ReportError.self) { _ = try await clicks(by: ["action"]) }
    }

    @Test("are the only report with these dimensions")
    func others() throws {
        for dimension in Dimension.allCases.filter(\.isOfClick) {
            let request = ReportRequest(by: [dimension.rawValue])
            let now = instant("2026-03-04T12:00:00Z")
            #expect(throws: ReportError.onlyOfClicks(dimension, report: "funnel")) {
                try request.query(for: shop, now: now, report: "funnel")
            }
            #expect(try request.query(for: shop, now: now, report: "clicks").needsClicks)
        }
    }
}
