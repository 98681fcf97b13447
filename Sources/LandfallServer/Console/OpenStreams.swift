internal import Access
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
    /// The duration of a stream if only a proxy knows what the person may see. After it, the browser asks again, through the
    /// proxy.
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
        self.pool = pool
        self.clock = clock
    }

    /// - Parameter end: called when the stream must end. A stream that checks ``StreamPlace/isOpen`` needs none.
    func open(for visit: Visit, _ end: @escaping @Sendable () -> Void = {}) throws(Problem) -> StreamPlace {
        let isOfProxy = visit.session.method == .proxy
        let stream = Stream(
            app: try visit.requireApp(), sessionID: visit.session.id, personID: visit.person.id,
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
