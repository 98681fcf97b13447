/// A statement with its parameters, ready to be sent.
public struct PostgresStatement: Sendable {
    public let file: SQLFile
    let parameters: [PostgresParameter]

    public init(_ file: SQLFile, _ parameters: [PostgresParameter] = []) {
        self.file = file
        self.parameters = parameters
    }
}

/// A step of a connection's work, in the order of sending.
///
/// Parameters may contain device tokens, sealed or as fingerprints: an observer must not write them anywhere.
public enum ObservedStatement: Sendable {
    /// One statement with its parameters, which may be sent again unchanged.
    case query(PostgresStatement)
    case begin
    case commit
    case rollback
}

/// Called on the connection's thread, right before the statement is sent.
public typealias StatementObserver = @Sendable (ObservedStatement) -> Void

extension ObservedStatement {
    /// `nil` for a command of a transaction.
    var statement: PostgresStatement? {
        if case .query(let statement) = self { statement } else { nil }
    }

    var text: String {
        switch self {
        case .query(let statement): statement.file.text
        case .begin: "BEGIN"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        }
    }

    var name: String { statement?.file.name ?? text }
    var parameters: [PostgresParameter] { statement?.parameters ?? [] }
}
