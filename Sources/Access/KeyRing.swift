public import PostgresClient
internal import Synchronization

/// Finds what a bearer key stands for, remembering answers for a few seconds: a revoked key stops working within
/// `timeToLive`, and a flood of unknown keys does not become a flood of queries for the known ones.
public final class KeyRing: Sendable {
    private struct Entry {
        let credential: Credential?
        let expiresAt: ContinuousClock.Instant
    }

    private let pool: PostgresPool
    private let timeToLive: Duration
    private let capacity: Int
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    public init(pool: PostgresPool, timeToLive: Duration = .seconds(5), capacity: Int = 10_000) {
        self.pool = pool
        self.timeToLive = timeToLive
        self.capacity = capacity
    }

    /// Nil for a key that is missing its form, unknown or revoked.
    public func credential(for text: String) async throws -> Credential? {
        guard text.hasPrefix("lf_"), text.utf8.count < 100 else { return nil }
        let digest = APIKey.digest(of: text)
        if let entry = entries.withLock({ $0[digest] }), entry.expiresAt > .now {
            return entry.credential
        }
        let credential = try await pool.withConnection(attempts: 2) { connection in
            try AppDirectory(connection).credential(digest: digest)
        }
        let entry = Entry(credential: credential, expiresAt: .now + timeToLive)
        entries.withLock { entries in
            if entries.count >= capacity { entries.removeAll() }
            entries[digest] = entry
        }
        return credential
    }
}
