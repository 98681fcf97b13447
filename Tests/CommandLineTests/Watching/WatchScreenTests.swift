import Basics
import Testing

@testable import Dashboards
@testable import Rendering
@testable import Reports

@Suite("A screen of landfall watch") struct WatchScreenTests {
    private func state() throws -> WatchState {
        var state = WatchState(
            app: HandMadeDay.app, timeZone: try ReportTimeZone("Europe/Berlin"), now: HandMadeDay.now)
        var received: Int64 = 0
        for step in 0..<40 {
            received += Int64((step * 11) % 17) * 40
            let items = ReceivedItems(
                received: received, accepted: received * 9 / 10, duplicates: received / 10, rejected: 0)
            state.pace.note(items, at: HandMadeDay.now - .seconds(Int64(2 * (40 - step))))
        }
        state.day = try HandMadeDay.today()
        state.health = HandMadeDay.health
        return state
    }

    private func screen(
        _ state: WatchState, _ columns: Int, _ rows: Int, unicode: Bool = true, color: Bool = false
    ) -> [String] {
        let style = OutputStyle(usesUnicode: unicode, usesColor: color, width: columns)
        return WatchScreen(state: state, style: style).lines(.init(columns: columns, rows: rows))
    }

    @Test("matches its golden file, small and large", arguments: [(60, 20), (80, 24), (100, 40), (200, 50)])
    func golden(columns: Int, rows: Int) throws {
        try GoldenFile.expect(screen(state(), columns, rows), "\(columns)x\(rows).txt")
    }

    @Test("has as many lines as there are rows, none wider than the screen, on any screen")
    func fits() throws {
        var silent = try state()
        silent.day = nil
        for state in [try state(), silent] {
            for columns in [1, 20, 39, 60, 79, 80, 119, 120, 121, 200, 300] {
                for rows in [1, 3, 5, 10, 20, 24, 50, 80] {
                    let lines = screen(state, columns, rows)
                    #expect(lines.count == rows, "\(columns) × \(rows)")
                    for line in lines { #expect(displayWidth(line) <= columns, "\(columns): \(line)") }
                }
            }
        }
    }

    @Test("says why tokens are not counted, next to the last count, while all other figures are current")
    func uncounted() throws {
        var state = try state()
        let reason = "statement reports/token_status was canceled"
        state.take(.healthTrouble(reason, HandMadeDay.now - .seconds(8)))
        let lines = screen(state, 100, 60)
        #expect(lines.contains("not counted since 8 s ago: \(reason)"))
        #expect(lines.contains { $0.contains("audience 2,417") })
        #expect(try #require(lines.last).hasPrefix("q quits"))
        var early = state
        early.health = nil
        #expect(screen(early, 100, 60).contains("not counted since 8 s ago: \(reason)"))
        state.take(.health(HandMadeDay.health))
        #expect(screen(state, 100, 60).contains { $0.contains("not counted") } == false)
    }

    @Test("is plain ASCII on request, except for names, and without color on request")
    func ascii() throws {
        let lines = screen(try state(), 100, 40, unicode: false)
        try GoldenFile.expect(lines, "100x40-ascii.txt")
        for line in lines where !line.contains("夏") { #expect(line.utf8.allSatisfy { $0 < 128 }, "\(line)") }
        #expect(screen(try state(), 80, 24).contains { $0.contains("\u{1B}") } == false)
        #expect(screen(try state(), 80, 24, color: true).contains { $0.contains("\u{1B}[32m") })
    }

    @Test(
        "says since when the database is unavailable, keeps the last figures, and removes the message when it is back"
    )
    func away() throws {
        var state = try state()
        let received = ReceivedItems(received: 9_999_999, accepted: 0, duplicates: 0, rejected: 0)
        state.take(.trouble("PostgreSQL cannot be reached: no such host", HandMadeDay.now - .seconds(8)))
        state.take(.trouble("PostgreSQL cannot be reached: no such host", HandMadeDay.now - .seconds(2)))
        let lines = screen(state, 80, 24)
        #expect(lines.last == "no new figures since 8 s ago: PostgreSQL cannot be reached: no such host")
        #expect(lines.contains { $0.contains("attempted") })
        state.take(.day(try HandMadeDay.today(), received))
        #expect(try #require(screen(state, 80, 24).last).hasPrefix("q quits"))
    }

    @Test("suggests commands with the app, if it was named, and the time zone, if they fit")
    func footer() throws {
        var state = try state()
        let hint = "landfall funnel --tz Europe/Berlin --from today shows every rate with its interval"
        #expect(try #require(screen(state, 120, 24).last).hasSuffix(hint))
        state.namesApp = true
        #expect(
            try #require(screen(state, 120, 24).last).contains(
                "landfall funnel --app shop --tz Europe/Berlin"))
        let command = "landfall funnel --app shop --tz Europe/Berlin --from today"
        #expect(screen(state, 80, 24).last == "q quits  ·  \(command)")
        #expect(screen(state, 60, 24).last == "q quits")
    }

    @Test("says that it is counting until it has figures")
    func beginning() throws {
        let state = WatchState(app: HandMadeDay.app, timeZone: .utc, now: HandMadeDay.now)
        #expect(screen(state, 60, 20).contains("counting…"))
    }
}
