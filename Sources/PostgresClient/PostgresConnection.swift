internal import CLibPQ
public import SQLFiles

/// One connection. Its calls block, so it is only ever used on a thread of a ``PostgresPool``, by one caller at a time; the
/// libpq pointer never leaves this file.
public final class PostgresConnection {
    private let connection: OpaquePointer
    private let preparesStatements: Bool
    private let statementObserver: StatementObserver?
    private var preparedStatements: Set<String> = []
    /// What goes with the next statement.
    private var queue: [Step] = []
    private var isInTransaction = false

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
        guard let rows = try query([PostgresStatement(file, parameters)]).first else {
            throw .connectionLost(statement: file.name)
        }
        return rows
    }

    /// Runs several statements in one round trip: none waits for the answer of the one before it. When one fails, those behind
    /// it are not carried out.
    ///
    /// - Returns: one result per statement, in order.
    public func query(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        for statement in statements { statementObserver?(.query(statement)) }
        return try run(statements.map(Step.statement))
    }

    /// Sends a statement together with the next one of the transaction, or with its COMMIT: for statements whose rows nobody
    /// reads. An error of it is thrown there. Only within a transaction.
    public func enqueue(_ statement: PostgresStatement) {
        precondition(isInTransaction, "nothing would ever send \(statement.file.name)")
        statementObserver?(.query(statement))
        queue.append(.statement(statement))
    }

    /// Runs a script of several statements without parameters, as one implicit transaction.
    public func execute(script file: SQLFile) throws(PostgresError) {
        _ = try run([])
        PQclear(try check(PQexec(connection, file.text), statement: file.name))
    }

    /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// `BEGIN` travels with the first statement, `COMMIT` with those that are still queued. A body that sends nothing costs
    /// nothing.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        precondition(!isInTransaction, "a transaction within a transaction")
        statementObserver?(.begin)
        queue = [.begin]
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let value = try body()
            statementObserver?(.commit)
            if queue.count != 1 || !isIdle { _ = try run([.commit]) }
            queue.removeAll()
            return value
        } catch {
            statementObserver?(.rollback)
            queue.removeAll()
            // The body's error is the one worth knowing; a connection that cannot roll back is dropped by the pool.
            if !isIdle { PQclear(PQexec(connection, "ROLLBACK")) }
            throw error
        }
    }

    private func prepare(_ statement: PostgresStatement) throws(PostgresError) {
        let name = statement.file.name
        guard !preparedStatements.contains(name) else { return }
        let types = statement.parameters.map(\.oid)
        PQclear(
            try check(
                PQprepare(connection, name, statement.file.text, Int32(types.count), types), statement: name))
        preparedStatements.insert(name)
    }

    /// Carries out what is queued and then these steps, in one round trip. Answers the rows of these steps.
    private func run(_ steps: [Step]) throws(PostgresError) -> [PostgresRows] {
        let all = queue + steps
        queue.removeAll()
        if preparesStatements {
            for case .statement(let statement) in all { try prepare(statement) }
        }
        guard let first = all.first else { return [] }
        if all.count == 1 {
            return [try rows(sendAlone(first), of: first)]
        }
        return Array(try pipeline(all).suffix(steps.count))
    }

    /// libpq's pipeline mode.
    private func pipeline(_ steps: [Step]) throws(PostgresError) -> [PostgresRows] {
        guard PQenterPipelineMode(connection) == 1, steps.allSatisfy(send), PQpipelineSync(connection) == 1
        else { throw .connectionLost(statement: steps[0].name) }
        // Every result has to be taken before the connection can be used again, also those behind an error.
        let results = steps.map { step in
            Result { () throws(PostgresError) in try self.rows(nextResult(), of: step) }
        }
        while let end = PQgetResult(connection) {
            let isSync = PQresultStatus(end) == PGRES_PIPELINE_SYNC
            PQclear(end)
            if isSync { break }
        }
        let hasEnded = PQexitPipelineMode(connection) == 1
        var rows: [PostgresRows] = []
        for result in results { rows.append(try result.get()) }
        guard hasEnded else { throw .connectionLost(statement: steps[0].name) }
        return rows
    }

    /// The result of the next step of a pipeline; behind each stands a null.
    private func nextResult() -> OpaquePointer? {
        let result = PQgetResult(connection)
        if result != nil { PQclear(PQgetResult(connection)) }
        return result
    }

    /// Sends one step and waits for its result.
    private func sendAlone(_ step: Step) -> OpaquePointer? {
        withPointers(to: step.parameters) { count, values, lengths, formats in
            if preparesStatements, case .statement(let statement) = step {
                return PQexecPrepared(connection, statement.file.name, count, values, lengths, formats, 1)
            }
            return PQexecParams(
                connection, step.text, count, step.parameters.map(\.oid), values, lengths, formats, 1)
        }
    }

    /// Sends one step of a pipeline. False when the connection is broken.
    private func send(_ step: Step) -> Bool {
        withPointers(to: step.parameters) { count, values, lengths, formats in
            if preparesStatements, case .statement(let statement) = step {
                return PQsendQueryPrepared(
                    connection, statement.file.name, count, values, lengths, formats, 1)
            }
            return PQsendQueryParams(
                connection, step.text, count, step.parameters.map(\.oid), values, lengths, formats, 1)
        } == 1
    }

    private func rows(_ result: OpaquePointer?, of step: Step) throws(PostgresError) -> PostgresRows {
        let rows = PostgresRows(result: try check(result, statement: step.name), statement: step.name)
        // The server answers a COMMIT of a transaction that had gone wrong with ROLLBACK, and no error.
        guard !step.isCommand || rows.commandStatus == step.text else {
            throw .unexpectedResult(statement: step.name, detail: "the transaction had been given up")
        }
        return rows
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

/// Something to send.
private enum Step {
    case begin
    case commit
    case statement(PostgresStatement)

    var isCommand: Bool {
        if case .statement = self { false } else { true }
    }

    var text: String {
        switch self {
        case .begin: "BEGIN"
        case .commit: "COMMIT"
        case .statement(let statement): statement.file.text
        }
    }

    var name: String {
        if case .statement(let statement) = self { statement.file.name } else { text }
    }

    var parameters: [PostgresParameter] {
        if case .statement(let statement) = self { statement.parameters } else { [] }
    }
}

/// Calls the body with how many parameters there are, and a pointer, a length and a format (binary) for each; null stays a
/// null pointer. Nothing is copied.
private func withPointers<Value>(
    to parameters: [PostgresParameter],
    _ body: (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Value
) -> Value {
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: parameters.count)
    var pointers = [UnsafePointer<CChar>?](repeating: nil, count: parameters.count)
    // An empty value needs a pointer too, or it would be a null.
    let empty: [UInt8] = [0]
    func descend(_ index: Int) -> Value {
        guard index < parameters.count else {
            return pointers.withUnsafeBufferPointer {
                body(Int32(parameters.count), $0.baseAddress, lengths, formats)
            }
        }
        guard let bytes = parameters[index].bytes else { return descend(index + 1) }
        return (bytes.isEmpty ? empty : bytes).withUnsafeBytes { buffer in
            pointers[index] = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return descend(index + 1)
        }
    }
    return descend(0)
}
