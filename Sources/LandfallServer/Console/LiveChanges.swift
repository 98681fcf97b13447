internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Reports
internal import ServiceLifecycle
internal import Synchronization

/// Tells open pages that something of their app was recorded.
///
/// Each app that is looked at costs one small query every five seconds, however many pages are open. The
/// event carries no data: the page asks for its numbers itself, and gets 304 if they are the same.
final class LiveChanges: Service, Sendable {
    private static let pause = Duration.seconds(5)

    private enum Event { case changed, still }

    private struct State {
        var pages = OpenPages()
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var isEnded = false
    }

    private let desk: ReportDesk
    private let streams: OpenStreams
    private let state = Mutex(State())

    init(desk: ReportDesk, streams: OpenStreams) { (self.desk, self.streams) = (desk, streams) }

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

    /// Returns what every watched app has received. While a database does not respond, nothing of its apps
    /// has changed.
    private func look(_ known: [App: ReceivedItems]) async -> [App: ReceivedItems] {
        let apps = state.withLock { $0.pages.watched }
        guard !apps.isEmpty else { return [:] }
        let read = try? await desk.cells.each { [desk] cell -> [(App, ReceivedItems)] in
            let (own, now) = (apps.filter { $0.cell == cell.number }, cell.clock.now)
            guard !own.isEmpty else { return [] }
            return try await desk.read(in: cell.number) { connection in
                try own.map { ($0, try ReceivedItems.read(of: $0, since: now - .hours(2), on: connection)) }
            }
        }
        guard let read else { return known }
        let earlier = known.filter { apps.contains($0.key) && read[$0.key.cell] == nil }
        let received = Dictionary(read.values.joined()) { $1 }.merging(earlier) { $1 }
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
    /// How many pages are told at a time, because each then asks for its numbers. With more pages, each is
    /// told less often, in turn.
    static let mostTold = 50

    private var lastID = 0
    private var pages: [Int: App] = [:]
    private var waiting: [Int] = []

    /// Each once.
    var watched: Set<App> { Set(pages.values) }

    /// Its number; `nil` if too many are open. It is told soon, because its numbers may have changed.
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

/// The live streams that are open, of every kind. A stream ends when its person may no longer see its app.
final class OpenStreams: Service, Sendable {
    /// The maximum number of streams per person. Another one ends the oldest.
    static let mostPerPerson = 5
    private static let pause = Duration.seconds(5)
    /// The longest stream if only a proxy knows what the person may see: the browser asks again through it.
    private static let longestByProxy = Span.minutes(1)

    private struct Stream {
        let app: App
        let sessionID: Int64
        let personID: Int64
        /// `nil` for as long as the person may see the app.
        let until: Instant?
        let end: @Sendable () -> Void
    }

    private let pool: PostgresPool
    private let clock: ServerClock
    private let state = Mutex((lastID: 0, streams: [Int: Stream]()))

    init(pool: PostgresPool, clock: ServerClock) { (self.pool, self.clock) = (pool, clock) }

    /// - Parameter end: called when the stream must end. One that checks ``StreamPlace/isOpen`` needs none.
    func open(for visit: Visit, _ end: @escaping @Sendable () -> Void = {}) throws(Problem) -> StreamPlace {
        let isOfProxy = visit.session.method == .proxy
        let stream = Stream(
            app: try visit.requireApp(), sessionID: visit.session.id, personID: visit.person.id,
            until: isOfProxy ? clock.now + Self.longestByProxy : nil, end: end)
        let (id, ended) = state.withLock { state in
            let own = state.streams.filter { $0.value.personID == stream.personID }.keys.sorted()
            let ended = own.dropLast(Self.mostPerPerson - 1).compactMap {
                state.streams.removeValue(forKey: $0)
            }
            state.lastID += 1
            state.streams[state.lastID] = stream
            return (state.lastID, ended)
        }
        for stream in ended { stream.end() }
        return StreamPlace(
            isOpen: { [self] in state.withLock { $0.streams[id] != nil } },
            release: { [self] in state.withLock { $0.streams[id] = nil } })
    }

    func run() async { await every(Self.pause, from: ()) { _ in await self.review() } }

    /// Ends streams of people who may no longer see them. If the database does not respond, nothing is new.
    private func review() async {
        let open = state.withLock { $0.streams }
        guard !open.isEmpty else { return }
        let now = clock.now
        let people = try? await pool.withConnection(attempts: 2) { connection in
            try Sessions.people(of: Set(open.values.map(\.sessionID)).sorted(), now: now, on: connection)
        }
        guard let people else { return }
        for (id, stream) in open {
            let maySee = people[stream.sessionID]?.grants.role(in: stream.app) != nil
            guard !maySee || stream.until.map({ $0 <= now }) ?? false else { continue }
            state.withLock { $0.streams[id] = nil }
            stream.end()
        }
    }
}

/// The place of a stream among those that may be open. It is free again once no one holds this object, even
/// if the body of the response is never written, because the client asked for its head.
final class StreamPlace: Sendable {
    /// Whether the stream may go on.
    let isOpen: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    init(isOpen: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void) {
        (self.isOpen, self.release) = (isOpen, release)
    }

    deinit { release() }
}

extension Response {
    /// `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    ///
    /// - Parameter retry: how many milliseconds the browser waits before it asks again.
    static func events(
        retry: Int, holding places: [StreamPlace],
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(places) {} }
            try await writer.write(ByteBuffer(string: "retry: \(retry)\n\n"))
            try await write(&writer)
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [.contentType: "text/event-stream"]
        // Proxies keep what they may, which would be everything.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(status: .ok, headers: headers, body: body)
    }
}
