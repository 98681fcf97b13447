internal import Access
internal import HTTPTypes
internal import Hummingbird
internal import Instants
internal import People
internal import PostgresClient
internal import ServiceLifecycle
internal import Synchronization

/// The live streams that are open, of every kind. A stream ends when its person may no longer see its app.
final class OpenStreams: Service, Sendable {
    /// The maximum number of streams per person. Another one ends the oldest.
    static let mostPerPerson = 5
    private static let pause = Duration.seconds(5)
    /// The longest stream if only a proxy knows what the person may see: then the browser asks again through it.
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

    init(pool: PostgresPool, clock: ServerClock) {
        (self.pool, self.clock) = (pool, clock)
    }

    /// - Parameter end: called when the stream must end. A stream that checks ``StreamPlace/isOpen`` needs none.
    func open(for visit: Visit, _ end: @escaping @Sendable () -> Void = {}) throws(Problem) -> StreamPlace {
        let isOfProxy = visit.session.record.method == .proxy
        let stream = Stream(
            app: try visit.requireApp(), sessionID: visit.session.record.id, personID: visit.person.id,
            until: isOfProxy ? visit.now + Self.longestByProxy : nil, end: end)
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
            stays: { [self] in state.withLock { $0.streams[id] != nil } },
            release: { [self] in state.withLock { $0.streams[id] = nil } })
    }

    func run() async {
        await every(Self.pause, from: ()) { _ in await self.review() }
    }

    /// Ends the streams of people who may no longer see them. While the database does not respond, there is nothing new to see.
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

/// The place of a stream among those that may be open. It is free again once no one holds this object, even if
/// the body of the response is never written, because the client asked for its head.
final class StreamPlace: Sendable {
    private let stays: @Sendable () -> Bool
    private let release: @Sendable () -> Void

    /// - Parameter stays: whether the stream may go on.
    init(stays: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void) {
        (self.stays, self.release) = (stays, release)
    }

    /// Whether the stream may go on.
    var isOpen: Bool { stays() }

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
