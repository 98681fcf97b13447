public import PostgresClient
internal import SQLFiles
internal import Synchronization

/// The origins of all apps, for preflights, which carry no key. They are read at most once in a few seconds, whatever the number of
/// preflights: concurrent ones share a query.
public final class OriginRing: Sendable {
    private struct State {
        var known: (origins: WebOrigins, expiresAt: ContinuousClock.Instant)?
        var query: Task<WebOrigins, any Error>?
    }

    private let timeToLive: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let read: @Sendable () async throws -> WebOrigins
    private let state = Mutex(State())

    public init(
        timeToLive: Duration = .seconds(5), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        read: @escaping @Sendable () async throws -> WebOrigins
    ) {
        self.timeToLive = timeToLive
        self.now = now
        self.read = read
    }

    public convenience init(pool: PostgresPool) {
        self.init {
            try await pool.withConnection(attempts: 2) { try AppDirectory($0).origins() }
        }
    }

    /// The origins that any app allows. While the database does not respond, they are those of before.
    ///
    /// - Throws: errors of the database if they were never read.
    public func origins() async throws -> WebOrigins {
        let now = now()
        let (known, query) = state.withLock { state -> (WebOrigins?, Task<WebOrigins, any Error>?) in
            if let known = state.known, known.expiresAt > now { return (known.origins, nil) }
            let query = state.query ?? Task { try await self.ask() }
            state.query = query
            return (nil, query)
        }
        if let known { return known }
        return try await query?.value ?? WebOrigins()
    }

    private func ask() async throws -> WebOrigins {
        let expiresAt = now() + timeToLive
        let result: Result<WebOrigins, any Error>
        do {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        return try state.withLock { state throws -> WebOrigins in
            state.query = nil
            if case .failure = result, let known = state.known {
                state.known = (known.origins, expiresAt)
                return known.origins
            }
            let origins = try result.get()
            state.known = (origins, expiresAt)
            return origins
        }
    }
}
