internal import CLibPQ
public import SQLFiles

/// One connection. Its calls block, so it is only ever used on a thread of a ``PostgresPool``, by one caller at a time; the
/// libpq pointer never leaves this file.
public final class PostgresConnection {
    private let connection: OpaquePointer
    private let preparesStatements: Bool
    private let statementObserver: StatementObserver?
    private var preparedStatements: Set<String> = []

    /// Connects. `url` is anything libpq takes: a URL or `key=value` pairs, several hosts and `target_session_attrs`
    /// included.
    public init(
        url: String, preparesStatements: Bool = true, statementObserver: StatementObserver? = nil
    ) throws(PostgresError) {
        // Later keywords win over earlier ones; `dbname` is expanded because of the last argument.
        let options = [
            ("connect_timeout", "5"), ("fallback_application_name", "landfall"), ("keepalives_idle", "30"),
            ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        try Self.checkForm(of: url)
        let opened = withCStrings(options.map(\.0)) { keywords in
            withCStrings(options.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let opened else { throw .unavailable(reason: "out of memory") }
        guard PQstatus(opened) == CONNECTION_OK else {
            let reason = String(cString: PQerrorMessage(opened))
            PQfinish(opened)
            throw .unavailable(reason: reason.trimmingNewlines())
        }
        self.connection = opened
        self.preparesStatements = preparesStatements
        self.statementObserver = statementObserver
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
    }

    deinit {
        PQfinish(connection)
    }

    /// libpq's own words about a malformed string may quote its password.
    private static func checkForm(of url: String) throws(PostgresError) {
        guard let options = PQconninfoParse(url, nil) else {
            throw .unavailable(
                reason:
                    "the connection string cannot be read: give postgres://user@host/database or key=value pairs"
            )
        }
        PQconninfoFree(options)
    }

    /// False within a transaction, also one that could not be rolled back, and when the connection is broken.
    var isIdle: Bool { PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// Runs one statement with binary parameters and binary results.
    @discardableResult
    public func query(_ file: SQLFile, _ parameters: [PostgresParameter] = []) throws(PostgresError)
        -> PostgresRows
    {
        if preparesStatements {
            try prepare(file, parameters)
        }
        statementObserver?(.query(file, parameters))
        let result = send(file, parameters)
        return PostgresRows(result: try check(result, statement: file.name), statement: file.name)
    }

    /// Runs a script of several statements without parameters, as one implicit transaction.
    public func execute(script file: SQLFile) throws(PostgresError) {
        PQclear(try check(PQexec(connection, file.text), statement: file.name))
    }

    /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        statementObserver?(.begin)
        try command("BEGIN")
        let value: Value
        do {
            value = try body()
        } catch {
            statementObserver?(.rollback)
            // The body's error is the one worth knowing; a connection that cannot roll back is dropped by the pool.
            try? command("ROLLBACK")
            throw error
        }
        statementObserver?(.commit)
        try command("COMMIT")
        return value
    }

    /// Runs a command and checks that the server did that and nothing else: it answers a COMMIT of a transaction that had
    /// gone wrong with ROLLBACK, and no error.
    private func command(_ text: String) throws(PostgresError) {
        let result = try check(PQexec(connection, text), statement: text)
        defer { PQclear(result) }
        guard String(cString: PQcmdStatus(result)) == text else {
            throw .unexpectedResult(statement: text, detail: "the transaction had been given up")
        }
    }

    private func prepare(_ file: SQLFile, _ parameters: [PostgresParameter]) throws(PostgresError) {
        guard !preparedStatements.contains(file.name) else { return }
        let types = parameters.map(\.oid)
        let result = PQprepare(connection, file.name, file.text, Int32(types.count), types)
        PQclear(try check(result, statement: file.name))
        preparedStatements.insert(file.name)
    }

    private func send(_ file: SQLFile, _ parameters: [PostgresParameter]) -> OpaquePointer? {
        withPointers(to: parameters.map(\.bytes)) { values, lengths in
            let count = Int32(parameters.count)
            let formats = [Int32](repeating: 1, count: parameters.count)
            if preparesStatements {
                return PQexecPrepared(connection, file.name, count, values, lengths, formats, 1)
            }
            return PQexecParams(
                connection, file.text, count, parameters.map(\.oid), values, lengths, formats, 1)
        }
    }

    private func check(_ result: OpaquePointer?, statement: String) throws(PostgresError) -> OpaquePointer {
        guard let result else { throw .connectionLost(statement: statement) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            return result
        default:
            defer { PQclear(result) }
            throw error(of: result, statement: statement)
        }
    }

    private func error(of result: OpaquePointer, statement: String) -> PostgresError {
        let sqlState = PQresultErrorField(result, PostgresErrorField.sqlState.rawValue).map {
            String(cString: $0)
        }
        let message = PQresultErrorField(result, PostgresErrorField.primaryMessage.rawValue).map {
            String(cString: $0)
        }
        guard PQstatus(connection) == CONNECTION_OK, let sqlState else {
            return .connectionLost(statement: statement)
        }
        return .server(sqlState: SQLState(rawValue: sqlState), message: message ?? "", statement: statement)
    }
}

/// Field codes of `PQresultErrorField`: macros in `postgres_ext.h` that Swift does not import.
private enum PostgresErrorField: Int32 {
    case sqlState = 67  // 'C'
    case primaryMessage = 77  // 'M'
}

extension String {
    fileprivate func trimmingNewlines() -> String {
        split(separator: "\n").joined(separator: "; ")
    }
}

/// Calls the body with a null-terminated array of C strings.
private func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
) -> Value {
    let bytes = strings.map { Array($0.utf8CString) }
    func descend(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> Value {
        guard index < bytes.count else {
            return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
        }
        return bytes[index].withUnsafeBufferPointer { descend(index + 1, pointers + [$0.baseAddress]) }
    }
    return descend(0, [])
}

/// Calls the body with one pointer and one length per parameter, all into one contiguous copy; null stays a null pointer.
private func withPointers<Value>(
    to parameters: [[UInt8]?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?) -> Value
) -> Value {
    let lengths = parameters.map { Int32($0?.count ?? 0) }
    var joined: [UInt8] = []
    // One byte more, so that the pointer of an empty value is valid too.
    joined.reserveCapacity(parameters.reduce(1) { $0 + ($1?.count ?? 0) })
    for parameter in parameters {
        if let parameter { joined.append(contentsOf: parameter) }
    }
    joined.append(0)
    return joined.withUnsafeBytes { buffer in
        var offset = 0
        let pointers: [UnsafePointer<CChar>?] = parameters.map { parameter in
            guard let parameter else { return nil }
            defer { offset += parameter.count }
            return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        }
        return pointers.withUnsafeBufferPointer { body($0.baseAddress, lengths) }
    }
}
