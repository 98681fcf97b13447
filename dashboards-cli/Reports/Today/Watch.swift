internal import Access
internal import DeliveryModel
internal import Dispatch
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports

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
