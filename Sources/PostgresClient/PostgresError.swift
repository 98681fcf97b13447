/// An error between Landfall and PostgreSQL.
///
/// It contains SQLSTATE, the server's primary message and the name of the statement. It never contains
/// parameters, details or context, which may quote device tokens.
public enum PostgresError: Error, Sendable, Equatable {
    /// The server responded with an error.
    case server(sqlState: SQLState, message: String, statement: String)
    /// No connection could be opened, or none is tried until the back-off has passed.
    case unavailable(reason: String)
    /// The connection broke. A statement in progress may or may not have been executed.
    case connectionLost(statement: String)
    /// The server did not respond within the connection's limit for one round trip. The connection is
    /// abandoned; the statement may or may not have been executed.
    case timedOut(statement: String)
    /// No partition of the table accepts a row (SQLSTATE 23514 without a constraint): its partition does not
    /// exist yet, or no longer. The row itself is valid.
    case noPartition(statement: String)
    /// The server sent something that this client cannot read.
    case unexpectedResult(statement: String, detail: String)
    /// The statement has more rows than the caller accepts. Its connection is abandoned.
    case tooManyRows(statement: String, most: Int)

    /// The server's error code; `nil` if the error is not the server's.
    public var sqlState: SQLState? {
        switch self {
        case .server(let sqlState, _, _): sqlState
        case .noPartition: .checkViolation
        case .unavailable, .connectionLost, .timedOut, .unexpectedResult, .tooManyRows: nil
        }
    }

    /// Whether the database lacks the schema, or a table of it.
    public var lacksSchema: Bool { sqlState == .undefinedTable || sqlState == .invalidSchemaName }

    /// Whether the same work may be tried again unchanged: after deadlocks, serialization failures, a lock or
    /// a response that took too long, a server that is restarting, a lost connection, a partition that has
    /// gone. Work that is not idempotent must not be repeated after a lost connection.
    public var isTransient: Bool {
        switch self {
        case .server(let sqlState, _, _): sqlState.isTransient
        case .unavailable, .connectionLost, .timedOut, .noPartition: true
        case .unexpectedResult, .tooManyRows: false
        }
    }

    /// Whether the connection is no longer usable, and others to the same server may not be either.
    public var endsConnection: Bool {
        switch self {
        case .server(let sqlState, _, _): sqlState.endsConnection
        case .unavailable, .connectionLost, .timedOut, .unexpectedResult: true
        case .noPartition, .tooManyRows: false
        }
    }

    /// The statement that took too long: PostgreSQL canceled it, or this client stopped waiting for it. Less
    /// work may finish in time; the same work would not. `nil` for any other error.
    public var slowStatement: String? {
        switch self {
        case .server(.queryCanceled, _, let statement), .timedOut(let statement): statement
        default: nil
        }
    }

    /// The app whose rows must not be written, because it is being moved; `nil` for any other error.
    public var movingApp: Int64? {
        guard case .server(.appMoving, let message, _) = self else { return nil }
        return message.split(separator: " ").lazy.compactMap { Int64($0) }.first
    }

    /// Whether the values of the statement are at fault: classes 22 (data exception), 23 (constraint
    /// violation) and 54 (a limit of the server exceeded, such as the length of an index entry), but not a
    /// sequence that has reached its end.
    public var isDataError: Bool {
        guard case .server(let sqlState, _, _) = self, sqlState != .endOfSequence else { return false }
        let code = sqlState.rawValue
        return code.hasPrefix("22") || code.hasPrefix("23") || code.hasPrefix("54")
    }
}

extension PostgresError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .server(.endOfSequence, let message, let statement):
            "PostgreSQL returned 2200H for \(statement): \(message). landfall migrate gives the cell further ids"
        case .server(let sqlState, let message, let statement):
            "PostgreSQL returned \(sqlState.rawValue) for \(statement): \(message)"
        case .unavailable(let reason): "PostgreSQL cannot be reached: \(reason)"
        case .connectionLost(let statement): "the connection to PostgreSQL broke during \(statement)"
        case .noPartition(let statement): "PostgreSQL has no partition for a row of \(statement)"
        case .timedOut(let statement): "PostgreSQL did not respond in time to \(statement)"
        case .unexpectedResult(let statement, let detail):
            "PostgreSQL's result of \(statement) could not be read: \(detail)"
        case .tooManyRows(let statement, let most):
            "PostgreSQL's result of \(statement) has more than \(most) rows"
        }
    }
}

/// A five-character error code (PostgreSQL manual, appendix A).
public struct SQLState: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let uniqueViolation = SQLState(rawValue: "23505")
    /// Also the code of an insert that finds no partition for its row.
    public static let checkViolation = SQLState(rawValue: "23514")
    /// A lock was not available within `lock_timeout`.
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    /// Also the code of a statement that took longer than `statement_timeout`.
    public static let queryCanceled = SQLState(rawValue: "57014")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let duplicateSchema = SQLState(rawValue: "42P06")
    public static let duplicateTable = SQLState(rawValue: "42P07")
    /// Landfall's own: see ``PostgresError/movingApp``.
    public static let appMoving = SQLState(rawValue: "LF001")
    /// Landfall's own: Citus has moved the schema to another node.
    static let schemaMoved = SQLState(rawValue: "LF002")
    public static let undefinedTable = SQLState(rawValue: "42P01")
    public static let invalidSchemaName = SQLState(rawValue: "3F000")
    public static let endOfSequence = SQLState(rawValue: "2200H")

    /// Class 08; codes with which a server says that it is stopping or starting (57P01 to 57P03) or will not
    /// wait any longer (25P03); a server that has become a standby (25006); a prepared statement that a
    /// pooler has removed (26000); a node of Citus without the schema (LF002).
    var endsConnection: Bool {
        rawValue.hasPrefix("08") || rawValue.hasPrefix("57P0")
            || ["25006", "25P03", "26000", "LF002"].contains(rawValue)
    }

    /// Lost connections, rollback classes, insufficient resources, errors of the server's own files, and
    /// timeouts: of a statement (57014) or a lock (55P03).
    var isTransient: Bool {
        endsConnection || ["40", "53", "58"].contains(rawValue.prefix(2))
            || ["55P03", "57014"].contains(rawValue)
    }
}

extension String {
    /// PostgreSQL's messages may have several lines, whose continuations are indented by tabs.
    var onOneLine: String {
        guard contains(where: { $0 == "\t" || $0.isNewline }) else { return self }
        return split(whereSeparator: \.isNewline)
            .map { line in line.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
