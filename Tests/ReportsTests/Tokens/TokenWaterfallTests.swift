import DeliveryModel
import Testing

@testable import Reports

@Suite("A waterfall")
struct TokenWaterfallTests {
    private let asOf = instant("2026-04-01T10:00:00Z")

    private func window(
        _ from: String?, _ to: String? = nil, by: WaterfallStep? = .day, zone: String = "Europe/Berlin"
    ) throws -> WaterfallWindow {
        try WaterfallWindow(
            from: from, to: to, by: by, timeZone: zone == "UTC" ? .utc : ReportTimeZone(zone), asOf: asOf)
    }

    private func waterfall(
        start: StateCounts, _ moves: [[TokenMove: Int64]], end: StateCounts
    ) throws -> TokenWaterfall {
        try TokenWaterfall(
            app: shop, unit: .installations, window: window("2026-03-28", "2026-03-30"), start: start,
            moves: moves, end: end)
    }

    private let moves: [[TokenMove: Int64]] = [
        [
            TokenMove(from: nil, to: .active, rule: "registered"): 10,
            TokenMove(from: .stale, to: .active, rule: "sign_of_life"): 2,
            TokenMove(from: .active, to: .retired, rule: "rotated"): 3,
            TokenMove(from: .active, to: .retired, rule: "unregistered"): 4,
        ],
        [
            TokenMove(from: .active, to: .stale, rule: "stale"): 5,
            TokenMove(from: .active, to: .suspect, rule: "bad_token"): 1,
            TokenMove(from: .stale, to: .retired, rule: "swept"): 2,
        ],
    ]

    @Test("adds up period by period, for every state")
    func addsUp() throws {
        let report = try waterfall(
            start: StateCounts([.active: 100, .stale: 20]), moves,
            end: StateCounts([.active: 99, .suspect: 1, .stale: 21, .retired: 9]))
        #expect(report.periods.map(\.net) == [5, -6])
        #expect(report.periods[1].start == StateCounts([.active: 105, .stale: 18, .retired: 7]))
        #expect(report.periods.map(\.name) == ["2026-03-28", "2026-03-29"])
        #expect(
            report.total.flows == [
                .registered: 10, .revived: 2, .rotated: 3, .retired("unregistered"): 4, .stale: 5,
                .suspect: 1,
            ])
        #expect(report.total.end.known == 130)
    }

    @Test("is rejected if the moves do not add up to the states")
    func contradiction() {
        #expect(
            throws: ReportError.doesNotAddUp(
                report: "waterfall", place: "the totals", rule: "active: start + in - out = end", left: 99,
                right: 98)
        ) {
            try waterfall(
                start: StateCounts([.active: 100, .stale: 20]), moves,
                end: StateCounts([.active: 98, .suspect: 1, .stale: 21, .retired: 10]))
        }
    }

    @Test("is rejected if more leave a state than were in it")
    func negative() {
        #expect(throws: ReportError.self) {
            try waterfall(
                start: StateCounts(), moves,
                end: StateCounts([.active: -1, .suspect: 1, .stale: 1, .retired: 9]))
        }
    }

    @Test("is cut at local midnights and at its own ends")
    func days() throws {
        let window = try window("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z")
        #expect(
            window.bounds == [
                instant("2026-03-28T12:00:00Z"), instant("2026-03-28T23:00:00Z"),
                instant("2026-03-29T22:00:00Z"), instant("2026-03-30T12:00:00Z"),
            ])
        #expect(window.bounds.dropLast().map(window.name) == ["2026-03-28", "2026-03-29", "2026-03-30"])
    }

    @Test("has weeks from Monday to Sunday")
    func weeks() throws {
        let window = try window("2026-03-18", "2026-03-31", by: .week, zone: "UTC")
        #expect(window.bounds.dropLast().map(window.name) == ["2026-03-16", "2026-03-23", "2026-03-30"])
        #expect(window.bounds[1] == instant("2026-03-23T00:00:00Z"))
        let usual = try self.window(nil, by: .week, zone: "UTC")
        #expect(usual.from == instant("2026-02-09T00:00:00Z"))
        #expect(usual.bounds.count == 9)
    }

    @Test(
        "names the days or weeks that it covers only in part, including the current one",
        arguments: [
            (.week, "2026-03-02", "2026-03-16", []), (.week, "2026-03-04", "2026-03-16", ["2026-03-02"]),
            (.week, "2026-03-04", nil, ["2026-03-02", "2026-03-30"]),
            (.week, "2026-03-03", "2026-03-05", ["2026-03-02"]), (.day, "2026-03-28", "2026-03-30", []),
            (.day, nil, nil, ["2026-04-01"]), (nil, "2026-03-04", nil, []),
        ] as [(WaterfallStep?, String?, String?, [String])])
    func cutShort(by step: WaterfallStep?, from: String?, to: String?, expected: [String]) throws {
        let window = try window(from, to, by: step)
        #expect(window.cutPeriods == expected)
        let moves = [[TokenMove: Int64]](repeating: [:], count: window.bounds.count - 1)
        let report = try TokenWaterfall(
            app: shop, unit: .tokens, window: window, start: StateCounts(), moves: moves, end: StateCounts())
        let names = expected.map { "\"\($0)\"" }.joined(separator: ",")
        let text = report.document.lineText
        #expect(text.contains(#""cut_periods":[\#(names)],"rows""#) == !expected.isEmpty)
        #expect(text.contains("cut_periods") == !expected.isEmpty)
    }

    @Test("ends at its as-of instant")
    func clipped() throws {
        #expect(try window("7d", "2027-01-01").to == asOf)
        #expect(try window("7d").from == instant("2026-03-25T23:00:00Z"))
        #expect(throws: ReportError.self) { try window("2026-05-01") }
        #expect(throws: ReportError.tooManyPeriods(1_000)) { try window("2020-01-01") }
        #expect(throws: ReportError.unreadableInstant("soon", bound: "from")) { try window("soon") }
    }

    @Test("has a document with every state and every move")
    func document() throws {
        let move = TokenMove(from: nil, to: .active, rule: "registered")
        let report = try TokenWaterfall(
            app: shop, unit: .tokens, window: window("2026-03-31", by: nil), start: StateCounts([.active: 1]),
            moves: [[move: 2]], end: StateCounts([.active: 3]))
        #expect(
            report.document.lineText == """
                {"report":"waterfall","app":"shop","from":"2026-03-31T00:00:00+02:00","to":"2026-04-01T12:00:00+02:00",\
                "time_zone":"Europe/Berlin","unit":"tokens","as_of":"2026-04-01T12:00:00+02:00","rows":[],\
                "totals":{"from":"2026-03-31T00:00:00+02:00","to":"2026-04-01T12:00:00+02:00",\
                "start":{"active":1,"suspect":0,"stale":0,"retired":0},"end":{"active":3,"suspect":0,"stale":0,"retired":0},\
                "active":{"start":1,"registered":2,"revived":0,"rotated":0,"migrated":0,"retired":{},"stale":0,"suspect":0,"net":2,"end":3},\
                "registration_failed":null,"moves":[{"from":null,"to":"active","rule":"registered","count":2}]}}
                """)
    }
}
