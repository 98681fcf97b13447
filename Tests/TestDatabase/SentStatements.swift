public import PostgresClient
internal import Synchronization

/// The statements that a connection sends.
public final class SentStatements: Sendable {
    private let statements = Mutex<[PostgresStatement]>([])

    public init() {}

    public var all: [PostgresStatement] { statements.withLock { $0 } }

    public func note(_ observed: ObservedStatement) {
        guard case .query(let statement) = observed else { return }
        statements.withLock { $0.append(statement) }
    }
}
