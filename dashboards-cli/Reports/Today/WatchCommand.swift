internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Dispatch
internal import Foundation
internal import Logging
internal import PostgresClient
internal import Rendering
internal import Reports

struct WatchCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show a live dashboard in the terminal.",
        discussion: """
            Shows items per second, today's funnel compared with yesterday's, the last hours by quarter \
            hour, rejections, the largest campaigns, and the tokens (counted every 30 s). It adapts to the \
            size of the window; q quits. If the database becomes unavailable, the dashboard reports that and \
            continues once the database is back.

              landfall watch --app shop --tz Europe/Berlin
              landfall watch --every 10
            """)

    @OptionGroup var app: AppOptions
    @OptionGroup var timeZone: TimeZoneOption
    @Option(help: .value("The refresh interval in seconds, 1 to 3600.", "seconds")) var every = 2
    @Flag(help: "Draw with plain ASCII.") var ascii = false

    func validate() throws {
        guard (1...3_600).contains(every) else { throw ValidationError("--every must be 1 to 3600 seconds.") }
    }

    func work() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw CommandProblem.noTerminal }
        let zone = try timeZone.zone
        try await app.database.withDatabase { front in
            let (chosen, database, _) = try app.database.find(app.app, in: front)
            var configuration = database.pool(size: 1)
            configuration.statementTimeout = .seconds(20)
            configuration.limitsWaiting = true
            // The pool's warnings would appear in the middle of the screen; the last line shows the same.
            let pool = PostgresPool(
                configuration, logger: Logger(label: "watch") { _ in SwiftLogNoOpLogHandler() })
            let reader = WatchReader(
                pool: pool, app: chosen, timeZone: zone, pause: .seconds(every), start: .now,
                namesApp: app.app != nil)
            try await ending({
                pool.beginToEnd(within: .zero)
                try await pool.close()
            }) {
                try await Watch(reader: reader, style: .stdout(asksForASCII: ascii)).run()
            }
        }
    }
}

/// The dashboard: one task reads the database, another draws the changes, until the user types q.
struct Watch {
    let reader: WatchReader
    let style: OutputStyle

    private enum Event: Sendable {
        case news(WatchNews)
        case terminal(RawTerminal.Event)
        case second
    }

    /// q, Q, and Ctrl-D.
    private static let quitKeys: Set<UInt8> = [UInt8(ascii: "q"), UInt8(ascii: "Q"), 4]

    /// Returns when the user quits or the task is canceled. The terminal is restored in any case.
    func run() async throws {
        let terminal = try RawTerminal()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let clock = DispatchSource.makeTimerSource(queue: .global())
        clock.schedule(deadline: .now() + 1, repeating: 1)
        clock.setEventHandler { continuation.yield(.second) }
        clock.resume()
        let sources = terminal.sources { continuation.yield(.terminal($0)) }
        let reading = Task { [reader] in await reader.run { continuation.yield(.news($0)) } }
        defer {
            clock.cancel()
            for source in sources { source.cancel() }
            reading.cancel()
            terminal.restore()
        }
        try await draw(events, on: terminal)
    }

    private func draw(_ events: AsyncStream<Event>, on terminal: RawTerminal) async throws {
        var state = WatchState(app: reader.app, timeZone: reader.timeZone, now: .now)
        state.namesApp = reader.namesApp
        try terminal.show(WatchScreen(state: state, style: style).lines(terminal.size))
        for await event in events {
            switch event {
            case .news(let news): state.take(news)
            case .terminal(.keys(let keys)) where !Self.quitKeys.isDisjoint(with: keys): return
            case .terminal(.closed): return
            case .terminal, .second: break
            }
            state.now = .now
            try terminal.show(WatchScreen(state: state, style: style).lines(terminal.size))
        }
    }
}

/// Queries the database repeatedly, also while it is unavailable.
struct WatchReader: Sendable {
    let pool: PostgresPool
    let app: App
    let timeZone: ReportTimeZone
    let pause: Duration
    /// The start of the watch; items are counted from the start of that hour (UTC).
    let start: Instant
    /// Whether the app was named on the command line, so that other commands name it as well.
    var namesApp = false

    /// The pause between counts of the tokens, which are counted one by one: this long at least, and at most
    /// a fiftieth of the time is spent on it.
    var healthPause = Duration.seconds(30)

    /// Reads until the task is canceled.
    func run(_ tell: @Sendable (WatchNews) -> Void) async {
        var healthIsDue = ContinuousClock.now
        while !Task.isCancelled {
            do {
                tell(try await readDay())
                if ContinuousClock.now >= healthIsDue { healthIsDue = await tellHealth(tell) }
            } catch {
                if !Task.isCancelled { tell(.trouble("\(error)", .now)) }
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// Counts the tokens and returns when the next count is due. A count that fails, because it takes too
    /// long, has cost as much as one that succeeds.
    private func tellHealth(_ tell: @Sendable (WatchNews) -> Void) async -> ContinuousClock.Instant {
        let begin = ContinuousClock.now
        do {
            tell(try await readHealth())
        } catch {
            if !Task.isCancelled { tell(.healthTrouble("\(error)", .now)) }
        }
        return .now + max(healthPause, (.now - begin) * 50)
    }

    private func readDay() async throws -> WatchNews {
        let (app, timeZone, start) = (app, timeZone, start)
        return try await pool.withConnection { connection in
            let now = Instant.now
            return .day(
                try AppToday.run(for: app, in: timeZone, on: connection, now: now),
                try ReceivedItems.read(of: app, since: start, on: connection))
        }
    }

    private func readHealth() async throws -> WatchNews {
        let app = app
        return try await pool.withConnection { connection in
            .health(try TokenHealth.run(for: app, on: connection, now: .now))
        }
    }
}
