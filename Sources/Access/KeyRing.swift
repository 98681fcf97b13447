internal import Instants
public import PostgresClient
internal import Synchronization

/// Finds what a bearer key stands for, and remembers answers for a few seconds: a revoked key stops working within
/// `timeToLive`.
///
/// Valid and unknown keys are remembered apart, so that a flood of invented keys cannot push out the ones in use, and
/// many requests with one key make one query.
public final class KeyRing: Sendable {
    /// What is known of a key without asking the database.
    public enum Memory: Equatable, Sendable {
        case valid(Credential)
        case invalid
        /// Was valid when last asked, too long ago to be believed still.
        case outdated
        case unheard
    }

    private struct Entry {
        let credential: Credential
        let expiresAt: ContinuousClock.Instant
    }

    private struct State {
        var valid: RecentlyUsed<KeyDigest, Entry>
        /// Until when each is taken for unknown.
        var invalid: RecentlyUsed<KeyDigest, ContinuousClock.Instant>
        var queries: [KeyDigest: Task<Credential?, any Error>] = [:]
    }

    private let timeToLive: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let find: @Sendable (KeyDigest) async throws -> Credential?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - timeToLive: how long an answer is believed, counted from before the question.
    ///   - capacity: how many valid keys are remembered, and how many unknown ones.
    ///   - find: asks the database; nil for a key that is unknown or revoked.
    public init(
        timeToLive: Duration = .seconds(5), capacity: Int = 10_000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        find: @escaping @Sendable (KeyDigest) async throws -> Credential?
    ) {
        self.timeToLive = timeToLive
        self.now = now
        self.find = find
        state = Mutex(
            State(valid: RecentlyUsed(capacity: capacity), invalid: RecentlyUsed(capacity: capacity)))
    }

    public convenience init(pool: PostgresPool) {
        self.init { digest in
            try await pool.withConnection(attempts: 2) { connection in
                try AppDirectory(connection).credential(digest: digest.bytes)
            }
        }
    }

    public func recall(_ digest: KeyDigest) -> Memory {
        let now = now()
        return state.withLock { state in
            if let entry = state.valid[digest] {
                return entry.expiresAt > now ? .valid(entry.credential) : .outdated
            }
            if let expiresAt = state.invalid[digest], expiresAt > now { return .invalid }
            return .unheard
        }
    }

    /// Nil for a text that is no key, an unknown or a revoked one. Throws what the database throws.
    public func credential(for text: String) async throws -> Credential? {
        guard let digest = KeyDigest(of: text) else { return nil }
        return try await credential(for: digest)
    }

    /// Nil for a key that is unknown or revoked. Throws what the database throws.
    public func credential(for digest: KeyDigest) async throws -> Credential? {
        switch recall(digest) {
        case .valid(let credential): return credential
        case .invalid: return nil
        case .outdated, .unheard: break
        }
        let query = state.withLock { state in
            if let query = state.queries[digest] { return query }
            // It ends with the query, and all who ask meanwhile wait for it: one of them giving up ends nothing.
            let query = Task { try await self.ask(digest) }
            state.queries[digest] = query
            return query
        }
        return try await query.value
    }

    private func ask(_ digest: KeyDigest) async throws -> Credential? {
        let expiresAt = now() + timeToLive
        let result: Result<Credential?, any Error>
        do {
            result = .success(try await find(digest))
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            state.queries[digest] = nil
            guard case .success(let credential) = result else { return }
            state.valid[digest] = credential.map { Entry(credential: $0, expiresAt: expiresAt) }
            state.invalid[digest] = credential == nil ? expiresAt : nil
        }
        return try result.get()
    }
}
