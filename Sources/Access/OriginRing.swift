public import DeliveryModel
public import PostgresClient

/// The origins of all apps, for preflights, which carry no key. They are read at most once in a few seconds,
/// whatever the number of preflights: concurrent ones share a query.
public actor OriginRing {
    private let timeToLive: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let read: @Sendable () async throws -> WebOrigins
    private var known: (origins: WebOrigins, expiresAt: ContinuousClock.Instant)?
    private var query: Task<WebOrigins, any Error>?

    public init(
        timeToLive: Duration = .seconds(5), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        read: @escaping @Sendable () async throws -> WebOrigins
    ) {
        self.timeToLive = timeToLive
        self.now = now
        self.read = read
    }

    public init(pool: PostgresPool) {
        self.init {
            try await pool.withConnection(attempts: 2) { try AppDirectory($0).origins() }
        }
    }

    /// The origins that any app allows; while the database does not respond, the last known ones. One caller
    /// waits for its response, and the others do not.
    ///
    /// - Throws: errors of the database if they were never read.
    public func origins() async throws -> WebOrigins {
        if let known, known.expiresAt > now() || query != nil { return known.origins }
        let query = self.query ?? Task { try await self.ask() }
        self.query = query
        return try await query.value
    }

    private func ask() async throws -> WebOrigins {
        defer { query = nil }
        let expiresAt = now() + timeToLive
        do {
            let origins = try await read()
            known = (origins, expiresAt)
            return origins
        } catch {
            guard let earlier = known?.origins else { throw error }
            known = (earlier, expiresAt)
            return earlier
        }
    }
}
