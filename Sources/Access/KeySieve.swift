public import PostgresClient

/// Tells existing keys from invented ones, any number of them with one query at a time.
///
/// It is for addresses that post many invalid keys: such a key costs the server no query of its own, and the
/// address's other clients, whose keys this server has not seen yet, are still served.
public actor KeySieve {
    /// The maximum number of digests per query.
    private static let most = 1_000

    private let find: @Sendable ([KeyDigest]) async throws -> Set<KeyDigest>
    private var waiting: [KeyDigest: [CheckedContinuation<Bool, any Error>]] = [:]
    private var isAsking = false

    /// - Parameter find: queries the database, and returns the valid digests.
    public init(find: @escaping @Sendable ([KeyDigest]) async throws -> Set<KeyDigest>) {
        self.find = find
    }

    public init(pool: PostgresPool) {
        self.init { digests in
            try await pool.withConnection(attempts: 2) { try AppDirectory($0).live(digests) }
        }
    }

    /// Whether the key is valid. Throws errors of the database.
    public func knows(_ digest: KeyDigest) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            waiting[digest, default: []].append(continuation)
            guard !isAsking else { return }
            isAsking = true
            // It ends when no caller waits.
            Task { await self.ask() }
        }
    }

    public var waitingCount: Int { waiting.count }

    private func ask() async {
        while !waiting.isEmpty {
            let asked = Array(waiting.keys.prefix(Self.most))
            let callers = asked.map { ($0, waiting.removeValue(forKey: $0) ?? []) }
            do {
                let valid = try await find(asked)
                for (digest, callers) in callers {
                    for caller in callers { caller.resume(returning: valid.contains(digest)) }
                }
            } catch {
                for (_, callers) in callers { for caller in callers { caller.resume(throwing: error) } }
            }
        }
        isAsking = false
    }
}
