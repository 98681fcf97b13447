import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Windows compared with each other")
struct ComparisonTests {
    /// Pairs of the current row's key and the key of the row it is compared with.
    private func pairs(
        zone: String, by: [Dimension], now: (from: String, keys: [[String?]]),
        before: (from: String, keys: [[String?]])
    ) throws -> [[String?]] {
        func side(_ from: String, _ keys: [[String?]]) throws -> ReportComparison.Side {
            let window = try ReportWindow(from: instant(from), to: instant(from) + .days(7))
            let query = try ReportQuery(app: shop, window: window, timeZone: ReportTimeZone(zone), by: by)
            let figures = Figures(counts: [.init(id: "attempted", value: 1, unit: .count)], rates: [])
            let rows = keys.map { (key: RowKey(zip(by, $0).map { .init($0, $1) }), figures: figures) }
            return ReportComparison.Side(
                query: query, rows: rows, totals: figures,
                nothing: Figures(counts: [.init(id: "attempted", value: 0, unit: .count)], rates: []))
        }
        let comparison = ReportComparison(
            now: try side(now.from, now.keys), before: try side(before.from, before.keys))
        return comparison.rows.map { [$0.key?.parts[0].value, $0.previousKey?.parts[0].value] }
    }

    @Test("match days by their place in the window, whichever of them have rows")
    func days() throws {
        let found = try pairs(
            zone: "Europe/Berlin", by: [.day],
            now: ("2026-03-29T22:00:00Z", [["2026-03-30"], ["2026-04-01"], ["2026-04-05"]]),
            before: ("2026-03-22T23:00:00Z", [["2026-03-23"], ["2026-03-24"], ["2026-03-29"]]))
        #expect(
            found == [
                ["2026-03-30", "2026-03-23"], ["2026-04-01", nil], ["2026-04-05", "2026-03-29"],
                [nil, "2026-03-24"],
            ])
    }

    @Test("match hours by local clock time; the hour that autumn repeats has no counterpart")
    func hours() throws {
        let found = try pairs(
            zone: "Europe/Berlin", by: [.hour],
            now: (
                "2026-10-24T22:00:00Z",
                [
                    ["2026-10-25T02:00:00+02:00"], ["2026-10-25T02:00:00+01:00"],
                    ["2026-10-25T03:00:00+01:00"], ["2026-10-25T08:00:00+01:00"],
                ]
            ),
            before: (
                "2026-10-23T22:00:00Z",
                [
                    ["2026-10-24T02:00:00+02:00"], ["2026-10-24T03:00:00+02:00"],
                    ["2026-10-24T08:00:00+02:00"],
                ]
            ))
        #expect(
            found == [
                ["2026-10-25T02:00:00+02:00", "2026-10-24T02:00:00+02:00"],
                ["2026-10-25T02:00:00+01:00", nil],
                ["2026-10-25T03:00:00+01:00", "2026-10-24T03:00:00+02:00"],
                ["2026-10-25T08:00:00+01:00", "2026-10-24T08:00:00+02:00"],
            ])
    }

    @Test("match no hour with the half hour that is repeated on Lord Howe Island")
    func halfHour() throws {
        let found = try pairs(
            zone: "Australia/Lord_Howe", by: [.hour],
            now: (
                "2026-04-04T13:00:00Z",
                [["2026-04-05T01:00:00+11:00"], ["2026-04-05T01:00:00+10:30"], ["2026-04-05T02:00:00+10:30"]]
            ),
            before: (
                "2026-04-03T13:00:00Z", [["2026-04-04T01:00:00+11:00"], ["2026-04-04T02:00:00+11:00"]]
            ))
        #expect(
            found == [
                ["2026-04-05T01:00:00+11:00", "2026-04-04T01:00:00+11:00"],
                ["2026-04-05T01:00:00+10:30", nil],
                ["2026-04-05T02:00:00+10:30", "2026-04-04T02:00:00+11:00"],
            ])
    }

    @Test("match weeks and months by their number")
    func weeksAndMonths() throws {
        let weeks = try pairs(
            zone: "UTC", by: [.week], now: ("2026-03-04T00:00:00Z", [["2026-03-02"], ["2026-03-09"]]),
            before: ("2026-02-18T00:00:00Z", [["2026-02-16"], ["2026-02-23"]]))
        #expect(weeks == [["2026-03-02", "2026-02-16"], ["2026-03-09", "2026-02-23"]])
        let months = try pairs(
            zone: "UTC", by: [.month], now: ("2026-01-15T00:00:00Z", [["2026-01-01"], ["2026-02-01"]]),
            before: ("2025-11-15T00:00:00Z", [["2025-11-01"], ["2025-12-01"]]))
        #expect(months == [["2026-01-01", "2025-11-01"], ["2026-02-01", "2025-12-01"]])
    }

    @Test("have counts of 0 and unknown latencies where a row is missing")
    func missing() throws {
        let frame = try sampleFrame("latency", by: [.campaign])
        func report(_ campaign: String) throws -> LatencyReport {
            let stages = LatencyReport.Stages(
                arrival: LatencyHistogram([.init(LatencyBucket(number: 9, from: 100, to: 111), 2)]))
            return try LatencyReport(
                frame: frame, rows: [.init(key: RowKey([.init(.campaign, campaign)]), stages: stages)],
                totals: stages, counts: counts([([.attempted, .accepted, .arrived], 2)]), unmatched: 0)
        }
        let comparison = ReportComparison(now: try report("new").side, before: try report("old").side)
        let changes: [[[Int64?]]] = comparison.rows.map { row in
            row.change.counts.prefix(2).map { [$0.before, $0.now, $0.change] }
        }
        #expect(changes == [[[0, 2, 2], [nil, 105, nil]], [[2, 0, -2], [105, nil, nil]]])
        let document = comparison.json(of: frame.query).lineText
        #expect(document.contains(#""arrival_p50_ms":{"previous":null,"change":null}"#))
        #expect(document.contains(#""arrival_p50_ms":{"previous":105,"change":null}"#))
    }

    @Test("match names by name, and rows without a name with each other")
    func names() throws {
        let found = try pairs(
            zone: "UTC", by: [.campaign], now: ("2026-03-08T00:00:00Z", [["spring"], [nil], ["new"]]),
            before: ("2026-03-01T00:00:00Z", [[nil], ["spring"], ["old"]]))
        #expect(found == [["spring", "spring"], [nil, nil], ["new", nil], [nil, "old"]])
    }
}

@Suite("Reports compared with another window", .database)
struct ComparisonDatabaseTests {
    private var database: TestDatabase { .current }

    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]
    private let rejected: DeliveryState = [.attempted, .rejected(.tokenDead)]

    private func sendSome() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add(8, .init("2026-02-27T10:00:00Z", accepted))
        try await database.add(2, .init("2026-02-27T10:00:00Z", rejected))
        try await database.add(15, .init("2026-03-01T10:00:00Z", accepted))
        try await database.add(5, .init("2026-03-02T10:00:00Z", rejected, campaign: 2))
    }

    private func funnel(compare: String?) async throws -> FunnelReport {
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-03", by: ["day"], compare: compare)
        return try await database.ask(request) { try FunnelReport.run($0, on: $1, now: $2) }
    }

    @Test("state what each count was, how it changed, and the interval of each rate's change")
    func previous() async throws {
        try await sendSome()
        let comparison = try #require(try await funnel(compare: "previous").context.comparison)
        #expect(
            comparison.window
                == (try ReportWindow(
                    from: instant("2026-02-27T00:00:00Z"), to: instant("2026-03-01T00:00:00Z"))))
        let attempted = try #require(comparison.totals.counts.first { $0.id == "attempted" })
        #expect(attempted.before == 10)
        #expect(attempted.change == 10)
        let acceptance = try #require(comparison.totals.rates.first { $0.id == "acceptance" }?.difference)
        #expect(acceptance.first == Proportion(8, of: 10))
        #expect(acceptance.second == Proportion(15, of: 20))
        #expect(comparison.rows.map { $0.change.counts[0].change } == [5, 5])
        #expect(comparison.rows.map { $0.previousKey?.parts[0].value } == ["2026-02-27", nil])
    }

    @Test("accept a date as the beginning of the other window")
    func date() async throws {
        try await sendSome()
        let comparison = try #require(try await funnel(compare: "2026-02-26").context.comparison)
        #expect(comparison.rows.map { $0.key?.parts[0].value } == ["2026-03-01", "2026-03-02"])
        #expect(comparison.rows.map { $0.previousKey?.parts[0].value } == [nil, "2026-02-27"])
    }

    private func rejections(by: String) async throws -> [String] {
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-03", by: [by], compare: "previous")
        let report = try await database.ask(request) { try RejectionsReport.run($0, on: $1, now: $2) }
        return try #require(report.comparison).rows.map { row in
            let key = (row.key ?? row.previousKey)?.parts[0].value ?? "–"
            let counts = row.change.counts.map { "\($0.before ?? -1) → \($0.now ?? -1)" }
            let share = row.change.rates[0].difference
            let shares = [share.first, share.second].map { "\($0.numerator)/\($0.denominator)" }
            return "\(key): \((counts + shares).joined(separator: ", "))"
        }
    }

    @Test("on rejections know what was attempted without a rejection, and leave out what never had any")
    func rejections() async throws {
        try await sendSome()
        try await database.add(3, .init("2026-02-28T10:00:00Z", accepted, campaign: 2))
        for sentAt in ["2026-02-28T10:00:00Z", "2026-03-01T10:00:00Z"] {
            try await database.add(4, .init(sentAt, accepted, campaign: 4))
        }
        #expect(
            try await rejections(by: "campaign") == [
                "spring: 3 → 5, 0 → 5, 0/3, 5/5", "–: 10 → 15, 2 → 0, 2/10, 0/15",
            ])
        #expect(
            try await rejections(by: "day") == [
                "2026-03-01: 10 → 19, 2 → 0, 2/10, 0/19", "2026-03-02: 7 → 5, 0 → 5, 0/7, 5/5",
            ])
    }

    @Test("name the weeks that the other window cuts short, and only these")
    func cutShort() async throws {
        try await sendSome()
        let request = ReportRequest(
            from: "2026-03-02", to: "2026-03-09", by: ["week"], compare: "2026-02-25")
        let report: FunnelReport = try await database.ask(request) {
            try FunnelReport.run($0, on: $1, now: $2)
        }
        let text = report.document.lineText
        #expect(
            text.contains(
                #""comparison":{"from":"2026-02-25T00:00:00+00:00","to":"2026-03-04T00:00:00+00:00","cut_periods":["2026-02-23","2026-03-02"],"rows":["#
            ))
        #expect(text.split(separator: "cut_periods", omittingEmptySubsequences: false).count == 2)
        #expect(try await funnel(compare: "previous").document.lineText.contains("cut_periods") == false)
    }

    @Test("have the contract's members, and none without a comparison")
    func document() async throws {
        try await sendSome()
        let text = try await funnel(compare: "previous").document.lineText
        #expect(
            text.contains(
                #""comparison":{"from":"2026-02-27T00:00:00+00:00","to":"2026-03-01T00:00:00+00:00","rows":[{"key":{"day":"2026-03-01"},"previous_key":{"day":"2026-02-27"},"counts":{"attempted":{"previous":10,"change":5},"accepted":{"previous":8,"change":7},"#
            ))
        #expect(text.contains(#""rates":{"acceptance":{"previous":0.8,"change":-0.05"#))
        #expect(text.contains(#""click_through":{"previous":null,"change":null,"low":null,"high":null}"#))
        #expect(try await funnel(compare: nil).document.lineText.contains("comparison") == false)
    }
}
