package import DeliveryModel
package import PostgresClient
internal import Synchronization
package import Vault

/// Looks up the credential of a bearer key and remembers results for a few seconds: a revoked key
/// stops working within `timeToLive`.
///
/// Valid and unknown keys are remembered separately, so that a flood of invented keys cannot push
/// out the ones in use. Concurrent requests with one key share one query.
public final class KeyRing: Sendable {
    /// What is known of a key without a query.
    public enum Memory: Equatable, Sendable {
        case valid(Credential)
        case invalid
        /// Was valid at the last query, too long ago to rely on.
        case outdated
        /// A query is under way.
        case asked
        case unheard
    }

    private struct Entry {
        let credential: Credential
        let expiresAt: ContinuousClock.Instant
    }

    private struct State {
        var valid: RecentlyUsed<KeyDigest, Entry>
        /// The instant until which each key is considered unknown.
        var invalid: RecentlyUsed<KeyDigest, ContinuousClock.Instant>
        var queries: [KeyDigest: Task<Credential?, any Error>] = [:]
    }

    /// How often an app's keys are followed from one cell to the next.
    private static let mostRedirects = 8

    private let timeToLive: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let find: @Sendable (KeyDigest) async throws -> Credential?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - timeToLive: how long a result is valid, counted from before the query.
    ///   - capacity: the number of valid keys that are remembered, and of unknown ones.
    ///   - find: queries the database; `nil` if the key is unknown or revoked.
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

    /// - Parameters:
    ///   - pools: returns connections to a cell, or throws ``UnknownCell``. A key is looked up where its app
    ///     was last found, then in the cell that it names, and where its app has moved from there.
    ///   - vault: opens the apps' signing keys.
    package convenience init(
        timeToLive: Duration = .seconds(5),
        pools: @escaping @Sendable (CellNumber) throws -> PostgresPool, vault: TokenVault
    ) {
        // Only those of apps that have moved, whose keys then need none of the former cells.
        let homes = Mutex(RecentlyUsed<KeyDigest, CellNumber>(capacity: 10_000))
        self.init(timeToLive: timeToLive) { digest in
            var home = homes.withLock { $0[digest] }
            var cell = home ?? digest.cell
            for _ in 0...Self.mostRedirects {
                let asked = cell
                let (found, redirect) = try await pools(asked).withConnection(attempts: 2) { connection in
                    var located = try AppDirectory(connection).locate(digest.bytes, vault: vault)
                    located.credential?.app.cell = asked
                    return located
                }
                if let found {
                    homes.withLock { $0[digest] = asked == digest.cell ? nil : asked }
                    return found
                }
                guard let next = redirect ?? (asked == home ? digest.cell : nil) else { return nil }
                if redirect == nil { home = nil }
                cell = next
            }
            throw PostgresError.unavailable(reason: "the cells do not agree on where the app of a key is")
        }
    }

    public func recall(_ digest: KeyDigest) -> Memory {
        let now = now()
        return state.withLock { state in
            if let entry = state.valid[digest] {
                return entry.expiresAt > now ? .valid(entry.credential) : .outdated
            }
            if let expiresAt = state.invalid[digest], expiresAt > now { return .invalid }
            return state.queries[digest] == nil ? .unheard : .asked
        }
    }

    /// Returns `nil` if the text is not a key, or the key is unknown or revoked. Throws database errors.
    public func credential(for text: String) async throws -> Credential? {
        guard let digest = KeyDigest(of: text) else { return nil }
        return try await credential(for: digest)
    }

    /// Returns `nil` if the key is unknown or revoked. Throws ``UnknownCell`` and errors of the database.
    public func credential(for digest: KeyDigest) async throws -> Credential? {
        switch recall(digest) {
        case .valid(let credential): return credential
        case .invalid: return nil
        case .outdated, .asked, .unheard: break
        }
        let query = state.withLock { state in
            if let query = state.queries[digest] { return query }
            // All concurrent callers wait for this task, and a caller that gives up does not cancel it.
            let query = Task { try await self.ask(digest) }
            state.queries[digest] = query
            return query
        }
        return try await query.value
    }

    /// Queries the database, whatever is remembered of the key.
    package func ask(_ digest: KeyDigest) async throws -> Credential? {
        let expiresAt = now() + timeToLive
        defer { state.withLock { $0.queries[digest] = nil } }
        let credential = try await find(digest)
        state.withLock { state in
            state.valid[digest] = credential.map { Entry(credential: $0, expiresAt: expiresAt) }
            state.invalid[digest] = credential == nil ? expiresAt : nil
        }
        return credential
    }
}
