package import DeliveryModel
package import PostgresClient

/// Tells existing keys from invented ones, any number of them with one query at a time for each cell: keys of
/// a cell that does not respond do not hold up others.
///
/// It is for addresses that post many invalid keys: such a key costs the server no query of its own, and the
/// address's other clients, whose keys this server has not seen yet, are still served.
public actor KeySieve {
    /// The maximum number of digests per query.
    private static let most = 1_000

    private let find: @Sendable ([KeyDigest]) async throws -> Set<KeyDigest>
    /// The callers by cell; a cell is absent while it is not being queried.
    private var waiting: [CellNumber: [KeyDigest: [CheckedContinuation<Bool, any Error>]]] = [:]

    /// - Parameter find: queries the database, and returns the valid ones of digests that all name one cell.
    public init(find: @escaping @Sendable ([KeyDigest]) async throws -> Set<KeyDigest>) {
        self.find = find
    }

    /// - Parameter pools: returns connections to a cell, or throws ``UnknownCell``.
    package static func looking(
        in pools: @escaping @Sendable (CellNumber) throws -> PostgresPool
    ) -> KeySieve {
        KeySieve { digests in
            try await pools(digests.first?.cell ?? .front).withConnection(attempts: 2) {
                try AppDirectory($0).live(digests)
            }
        }
    }

    /// Whether the key is valid. Throws ``UnknownCell`` and errors of the database.
    public func knows(_ digest: KeyDigest) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            let isAsking = waiting[digest.cell] != nil
            waiting[digest.cell, default: [:]][digest, default: []].append(continuation)
            guard !isAsking else { return }
            // It ends when no caller waits.
            Task { await self.ask(digest.cell) }
        }
    }

    public var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

    private func ask(_ cell: CellNumber) async {
        while let asked = waiting[cell].map({ Array($0.keys.prefix(Self.most)) }), !asked.isEmpty {
            let callers = asked.map { ($0, waiting[cell]?.removeValue(forKey: $0) ?? []) }
            do {
                let valid = try await find(asked)
                for (digest, callers) in callers {
                    for caller in callers { caller.resume(returning: valid.contains(digest)) }
                }
            } catch {
                for (_, callers) in callers { for caller in callers { caller.resume(throwing: error) } }
            }
        }
        waiting[cell] = nil
    }
}
