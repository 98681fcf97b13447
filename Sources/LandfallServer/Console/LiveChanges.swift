internal import Access
internal import HTTPTypes
internal import Hummingbird
internal import Instants
internal import Logging
internal import NIOCore
internal import PostgresClient
internal import Reports
internal import ServiceLifecycle
internal import Synchronization

/// Tells open pages that something of their app was recorded.
///
/// However many pages are open, each app that is looked at costs one small query every five seconds. The event carries no data: the
/// page asks for its numbers itself, and gets 304 if they are the same.
final class LiveChanges: Service, Sendable {
    /// Further pages ask again every half minute instead.
    static let mostStreams = 500
    private static let pause = Duration.seconds(5)

    private struct State {
        var nextID = 0
        /// By app and stream.
        var streams: [App: [Int: AsyncStream<Event>.Continuation]] = [:]
        var isEnded = false

        var count: Int { streams.values.reduce(0) { $0 + $1.count } }
    }

    private enum Event { case changed, still }

    private let desk: ReportDesk
    private let clock: ServerClock
    private let state = Mutex(State())

    init(desk: ReportDesk, clock: ServerClock) {
        self.desk = desk
        self.clock = clock
    }

    func addRoutes(to console: ConsoleRoutes) {
        console.get("apps/:app/changes") { [self] visit, _ in try response(for: visit.requireApp()) }
    }

    // MARK: - Looking

    func run() async {
        await cancelWhenGracefulShutdown {
            var known: [App: ReceivedItems] = [:]
            while !Task.isCancelled {
                known = await self.look(known)
                // If canceled, the loop ends.
                try? await Task.sleep(for: Self.pause)
            }
        }
        let streams = state.withLock { state in
            state.isEnded = true
            return state.streams.values.flatMap(\.values)
        }
        for stream in streams { stream.finish() }
    }

    /// Returns what every app that is looked at has received. While the database does not respond, nothing has changed.
    func look(_ known: [App: ReceivedItems]) async -> [App: ReceivedItems] {
        let apps = state.withLock { state in Array(state.streams.keys) }
        guard !apps.isEmpty else { return [:] }
        let now = clock.now
        let received = try? await desk.read { connection in
            try apps.map { ($0, try ReceivedItems.read(of: $0, since: now - .hours(2), on: connection)) }
        }
        guard let received else { return known }
        for (app, items) in received {
            let event: Event = known[app].map { $0 != items } ?? false ? .changed : .still
            for stream in state.withLock({ $0.streams[app]?.values.map(\.self) ?? [] }) {
                stream.yield(event)
            }
        }
        return Dictionary(uniqueKeysWithValues: received)
    }

    // MARK: - Streams

    /// `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html): `changed`, or a comment, by which the
    /// server notices that a page is gone.
    private func response(for app: App) throws -> Response {
        let (events, stream) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = try open(stream, of: app)
        let body = ResponseBody { [self] writer in
            defer { close(id, of: app) }
            // The browser waits this long before it asks again.
            try await writer.write(ByteBuffer(string: "retry: 10000\n\n"))
            for await event in events {
                let text = event == .changed ? "event: changed\ndata:\n\n" : ":\n\n"
                try await writer.write(ByteBuffer(string: text))
            }
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [.contentType: "text/event-stream"]
        // Proxies keep what they may, which would be everything.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func open(_ stream: AsyncStream<Event>.Continuation, of app: App) throws -> Int {
        try state.withLock { state in
            guard !state.isEnded, state.count < Self.mostStreams else {
                throw Problem.unavailable("too_many_streams", "too many live pages are open")
            }
            state.nextID += 1
            state.streams[app, default: [:]][state.nextID] = stream
            return state.nextID
        }
    }

    private func close(_ id: Int, of app: App) {
        state.withLock { state in
            state.streams[app]?[id] = nil
            if state.streams[app]?.isEmpty ?? false { state.streams[app] = nil }
        }
    }
}
