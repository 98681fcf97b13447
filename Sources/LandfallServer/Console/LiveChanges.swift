internal import Access
internal import Hummingbird
internal import Instants
internal import Reports
internal import ServiceLifecycle
internal import Synchronization

/// Tells open pages that something of their app was recorded.
///
/// Each app that is looked at costs one small query every five seconds, however many pages are open. The event
/// carries no data: the page asks for its numbers itself, and gets 304 if they are the same.
final class LiveChanges: Service, Sendable {
    private static let pause = Duration.seconds(5)

    private enum Event { case changed, still }

    private struct State {
        var pages = OpenPages()
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var isEnded = false
    }

    private let desk: ReportDesk
    private let clock: ServerClock
    private let streams: OpenStreams
    private let state = Mutex(State())

    init(desk: ReportDesk, clock: ServerClock, streams: OpenStreams) {
        (self.desk, self.clock, self.streams) = (desk, clock, streams)
    }

    func addRoutes(to console: ConsoleRoutes) {
        console.get("apps/:app/changes") { [self] visit, _ in try response(for: visit) }
    }

    // MARK: - Looking

    func run() async {
        await every(Self.pause, from: [App: ReceivedItems]()) { $0 = await self.look($0) }
        let streams = state.withLock { state in
            state.isEnded = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }

    /// Returns what every app that is looked at has received. While the database does not respond, nothing has changed.
    private func look(_ known: [App: ReceivedItems]) async -> [App: ReceivedItems] {
        let apps = state.withLock { $0.pages.watched }
        guard !apps.isEmpty else { return [:] }
        let now = clock.now
        let read = try? await desk.read { connection in
            try apps.map { ($0, try ReceivedItems.read(of: $0, since: now - .hours(2), on: connection)) }
        }
        guard let read else { return known }
        let received = Dictionary(uniqueKeysWithValues: read)
        let changed = received.filter { known[$0.key] != nil && known[$0.key] != $0.value }
        let streams = state.withLock { state in
            let told = state.pages.told(of: Set(changed.keys))
            return state.streams.map { ($1, told.contains($0) ? Event.changed : .still) }
        }
        for (stream, event) in streams { stream.yield(event) }
        return received
    }

    // MARK: - Streams

    /// `changed`, or a comment, by which the server notices that a page is gone.
    private func response(for visit: Visit) throws -> Response {
        // A client that does not read for a minute has to ask again.
        let (events, stream) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(12))
        let page = try open(stream, of: try visit.requireApp())
        let place = try streams.open(for: visit) { stream.finish() }
        return .events(retry: 10_000, holding: [page, place]) { writer in
            for await event in events {
                let text = event == .changed ? "event: changed\ndata:\n\n" : ":\n\n"
                try await writer.write(ByteBuffer(string: text))
            }
        }
    }

    private func open(_ stream: AsyncStream<Event>.Continuation, of app: App) throws(Problem) -> StreamPlace {
        let id = state.withLock { state -> Int? in
            guard !state.isEnded, let id = state.pages.open(app) else { return nil }
            state.streams[id] = stream
            return id
        }
        guard let id else { throw Problem.unavailable("too_many_streams", "too many live pages are open") }
        return StreamPlace { [self] in
            state.withLock { state in
                state.pages.close(id)
                state.streams[id] = nil
            }
        }
    }
}

/// The live pages that are open, and which of them are told of a change.
struct OpenPages {
    /// Further pages ask again every half minute instead.
    static let most = 500
    /// How many pages are told at a time, because each then asks for its numbers. With more pages, each is told less often, in turn.
    static let mostTold = 50

    private var lastID = 0
    private var pages: [Int: App] = [:]
    /// Those that have to be told, in their order.
    private var waiting: [Int] = []

    /// Each once.
    var watched: Set<App> { Set(pages.values) }

    /// Its number; `nil` if too many are open. It is told soon, because its numbers may have changed meanwhile.
    mutating func open(_ app: App) -> Int? {
        guard pages.count < Self.most else { return nil }
        lastID += 1
        pages[lastID] = app
        waiting.append(lastID)
        return lastID
    }

    mutating func close(_ id: Int) {
        pages[id] = nil
        waiting.removeAll { $0 == id }
    }

    /// The pages to be told now that something of these apps has changed.
    mutating func told(of changed: Set<App>) -> Set<Int> {
        let known = Set(waiting)
        waiting += pages.keys.sorted().filter { id in
            !known.contains(id) && pages[id].map(changed.contains) ?? false
        }
        let next = Set(waiting.prefix(Self.mostTold))
        waiting.removeFirst(next.count)
        return next
    }
}
