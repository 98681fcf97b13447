internal import CLibPQ

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One connection. Its calls block, so it is used only on a thread of a ``PostgresPool``, by one caller at a
/// time. The libpq pointer never leaves this class.
public final class PostgresConnection {
    /// Replaces `landfall` in every statement and script.
    public let schema: SchemaName
    let connection: OpaquePointer
    private let preparesStatements: Bool
    let patience: Patience
    let statementObserver: StatementObserver?
    private var preparedStatements: Set<String> = []
    /// The object ids of row types.
    private var rowTypes: [PostgresRowType: UInt32] = [:]
    /// Steps that are sent together with the next statement.
    private var queue: [ObservedStatement] = []
    private(set) var isInTransaction = false
    /// The server did not respond in time, or sent too much. What it still sends belongs to no call.
    var isAbandoned = false
    /// Whether it is abandoned because one round trip took too long.
    private var hasTimedOut = false
    /// The time at which the pool's caller has waited long enough, whatever the wait is for.
    var workDeadline: ContinuousClock.Instant?
    /// The connection strings of Citus's coordinator and of this node, if the schema is to be distributed.
    public internal(set) var citus: (coordinator: String, node: String)?
    /// Whether each transaction checks at its end that the schema is still on this node of Citus.
    var checksNode = false
    /// The locks that last as long as this connection.
    var keptLocks: [AdvisoryLock: HeldLock] = [:]

    /// Connects. `url` is in any form that libpq accepts: a URL or `key=value` pairs, including several hosts
    /// and `target_session_attrs`. Unless it says otherwise, connecting to each host may take 3 seconds; only
    /// resolving its name takes as long as the system allows.
    ///
    /// - Parameter statementTimeout: a call that takes longer closes the connection; `nil` means no limit.
    public convenience init(
        url: String, schema: SchemaName = .landfall, preparesStatements: Bool = true,
        statementTimeout: Duration? = nil, statementObserver: StatementObserver? = nil
    ) throws(PostgresError) {
        try self.init(
            url: url, schema: schema, preparesStatements: preparesStatements,
            patience: Patience(statementTimeout: statementTimeout), statementObserver: statementObserver)
    }

    init(
        url: String, schema: SchemaName, preparesStatements: Bool, patience: Patience,
        statementObserver: StatementObserver?
    ) throws(PostgresError) {
        // Later keywords override earlier ones; `dbname` is expanded because of the last argument.
        let options = [
            ("connect_timeout", "3"), ("fallback_application_name", "landfall"), ("keepalives_idle", "30"),
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
            throw .unavailable(reason: reason.onOneLine)
        }
        self.connection = opened
        self.schema = schema
        self.preparesStatements = preparesStatements
        self.patience = patience
        self.statementObserver = statementObserver
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
        // Sending must not block either: a server that does not read would hold the thread indefinitely.
        guard PQsetnonblocking(opened, 1) == 0 else { throw .connectionLost(statement: "connecting") }
    }

    deinit {
        PQfinish(connection)
    }

    /// The server's major version, such as 15.
    public var serverMajorVersion: Int { Int(PQserverVersion(connection)) / 10_000 }

    /// False within a transaction, even one that could not be rolled back, and if the connection is broken.
    var isIdle: Bool { !isAbandoned && PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// The timeout that a transaction must set on the server; `nil` if the session set it or there is none.
    var timeoutOfTransaction: Duration? { preparesStatements ? nil : patience.statementTimeout }

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

    /// Runs one statement whose rows are wanted only if there are at most `mostRows`. They are read as they
    /// arrive. At the first row too many, the connection is abandoned, which ends the statement.
    ///
    /// - Parameter mostRows: `nil` reads all rows.
    /// - Throws: ``PostgresError/tooManyRows(statement:most:)``.
    public func query(
        _ file: SQLFile, _ parameters: [PostgresParameter], mostRows: Int?
    ) throws(PostgresError) -> PostgresRows {
        guard let mostRows else { return try query(file, parameters) }
        let asked = ObservedStatement.query(PostgresStatement(file, parameters))
        statementObserver?(asked)
        _ = try run([])
        let step = try typed(asked)
        try prepare(step)
        let limit = patience.limit(workDeadline)
        guard send(step), PQsetSingleRowMode(connection) == 1 else {
            throw .connectionLost(statement: file.name)
        }
        return try rows(collectedResult(of: step, mostRows: mostRows, until: limit), of: step)
    }

    /// Runs several statements in one round trip: none waits for the result of the previous one. If one
    /// fails, those after it are not executed.
    ///
    /// - Returns: one result per statement, in order.
    public func query(_ statements: [PostgresStatement]) throws(PostgresError) -> [PostgresRows] {
        let steps = statements.map(ObservedStatement.query)
        if let statementObserver { steps.forEach(statementObserver) }
        return try run(steps)
    }

    /// Queues a statement to be sent with the transaction's next one, or with its COMMIT: for statements
    /// whose rows are not needed. Its error is thrown there. Only within a transaction.
    public func enqueue(_ statement: PostgresStatement) {
        precondition(isInTransaction, "\(statement.file.name) would never be sent")
        statementObserver?(.query(statement))
        queue.append(.query(statement))
    }

    /// Runs a script of several statements without parameters, as one implicit transaction.
    public func execute(script file: SQLFile) throws(PostgresError) {
        _ = try run([])
        PQclear(try check(command(schema.inserted(into: file.text)), statement: file.name))
    }

    /// Runs the body in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// `BEGIN` is sent with the first statement, `COMMIT` with those queued. An idle body costs nothing.
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
            // The body's error is the relevant one; the pool drops a connection that cannot roll back.
            if !isIdle { PQclear(command("ROLLBACK")) }
            throw error
        }
    }

    /// Sends text without parameters and returns its last result, or the first that is an error.
    private func command(_ text: String) -> OpaquePointer? {
        let limit = patience.limit(workDeadline)
        return PQsendQuery(connection, text) == 1 ? lastResult(until: limit) : nil
    }

    /// The step with the object ids that row types have in this database.
    private func typed(_ step: ObservedStatement) throws(PostgresError) -> ObservedStatement {
        guard case .query(let statement) = step, statement.parameters.contains(where: { $0.rowType != nil })
        else { return step }
        var parameters: [PostgresParameter] = []
        for parameter in statement.parameters {
            let rowType = try parameter.rowType.map(oid)
            parameters.append(rowType.map(parameter.typed) ?? parameter)
        }
        return .query(PostgresStatement(statement.file, parameters))
    }

    private func oid(of type: PostgresRowType) throws(PostgresError) -> UInt32 {
        if let oid = rowTypes[type] { return oid }
        let name = schema.inserted(into: type.name)
        let find = ObservedStatement.query(PostgresStatement(.Administration.findRowType, [.value(name)]))
        try prepare(find)
        let limit = patience.limit(workDeadline)
        let rows = try rows(send(find) ? lastResult(until: limit) : nil, of: find)
        guard let number = try rows.first?.get("oid", as: Int64.self) else {
            throw .unexpectedResult(statement: find.name, detail: "there is no type \(name)")
        }
        let oid = UInt32(truncatingIfNeeded: number)
        rowTypes[type] = oid
        return oid
    }

    /// Prepares a statement when it is first sent, if this connection prepares any.
    private func prepare(_ step: ObservedStatement) throws(PostgresError) {
        let name = step.name
        guard preparesStatements, step.statement != nil, !preparedStatements.contains(name) else { return }
        let types = step.parameters.map(\.oid)
        let limit = patience.limit(workDeadline)
        let text = schema.inserted(into: step.text)
        let isSent = PQsendPrepare(connection, name, text, Int32(types.count), types) == 1
        PQclear(try check(isSent ? lastResult(until: limit) : nil, statement: name))
        preparedStatements.insert(name)
    }

    /// Runs the queued steps and then these, in one round trip. Returns the rows of these steps.
    func run(_ steps: [ObservedStatement]) throws(PostgresError) -> [PostgresRows] {
        let all = try (queue + steps).map(typed)
        queue.removeAll()
        if checksNode, !all.isEmpty { return try runOnNode(all, results: steps.count) }
        for step in all { try prepare(step) }
        guard let first = all.first else { return [] }
        if all.count == 1 {
            let limit = patience.limit(workDeadline)
            return [try rows(send(first) ? lastResult(until: limit) : nil, of: first)]
        }
        return Array(try pipeline(all).suffix(steps.count))
    }

    /// Runs the steps, and checks at the transaction's end that the node still has the schema. Statements
    /// outside a transaction get one, or Citus could commit them on another node before the check.
    private func runOnNode(_ steps: [ObservedStatement], results: Int) throws(PostgresError) -> [PostgresRows]
    {
        var all = steps
        let check = ObservedStatement.query(PostgresStatement(.Administration.refuseNode))
        if case .commit = steps.last {
            all.insert(check, at: all.endIndex - 1)
        } else if !isInTransaction {
            all = [.begin] + steps + [check, .commit]
        }
        for step in all { try prepare(step) }
        do {
            return Array(try pipeline(all)[..<(all.count - (isInTransaction ? 0 : 2))].suffix(results))
        } catch {
            if !isInTransaction, !isIdle { PQclear(command("ROLLBACK")) }
            throw error
        }
    }

    /// Runs the steps in libpq's pipeline mode.
    private func pipeline(_ steps: [ObservedStatement]) throws(PostgresError) -> [PostgresRows] {
        let limit = patience.limit(workDeadline)
        guard PQenterPipelineMode(connection) == 1, steps.allSatisfy(send), PQpipelineSync(connection) == 1
        else { throw .connectionLost(statement: steps[0].name) }
        // Every result must be read before the connection can be used again, even those after an error.
        let results = steps.map { step in
            Result { () throws(PostgresError) in try self.rows(resultOfStep(until: limit), of: step) }
        }
        while let end = nextResult(until: limit) {
            let isSync = PQresultStatus(end) == PGRES_PIPELINE_SYNC
            PQclear(end)
            if isSync { break }
        }
        let hasEnded = !isAbandoned && PQexitPipelineMode(connection) == 1
        var rows: [PostgresRows] = []
        for result in results { rows.append(try result.get()) }
        guard hasEnded else { throw .connectionLost(statement: steps[0].name) }
        return rows
    }

    /// The result of the next step of a pipeline; each is followed by a null.
    private func resultOfStep(until limit: Patience.Limit) -> OpaquePointer? {
        let result = nextResult(until: limit)
        if result != nil { PQclear(nextResult(until: limit)) }
        return result
    }

    /// Reads all results of what was sent outside a pipeline; returns the last, or the first error.
    func lastResult(until limit: Patience.Limit) -> OpaquePointer? {
        var last: OpaquePointer?
        var hasFailed = false
        while let result = nextResult(until: limit) {
            guard !hasFailed else {
                PQclear(result)
                continue
            }
            hasFailed = PQresultStatus(result) == PGRES_FATAL_ERROR
            PQclear(last)
            last = result
        }
        guard isAbandoned else { return last }
        PQclear(last)
        return nil
    }

    /// Collects the rows of single-row mode; returns the error that ended them, if any; `nil` if abandoned.
    private func collectedResult(
        of step: ObservedStatement, mostRows: Int, until limit: Patience.Limit
    ) throws(PostgresError) -> OpaquePointer? {
        let collected = CollectedRows()
        var end: OpaquePointer?
        while let result = nextResult(until: limit) {
            guard PQresultStatus(result) == PGRES_SINGLE_TUPLE else {
                PQclear(end)
                end = result
                continue
            }
            defer { PQclear(result) }
            guard collected.count < mostRows else {
                isAbandoned = true
                throw .tooManyRows(statement: step.name, most: mostRows)
            }
            guard collected.append(result) else {
                isAbandoned = true
                throw .unexpectedResult(statement: step.name, detail: "out of memory")
            }
        }
        guard !isAbandoned else {
            PQclear(end)
            return nil
        }
        // After the rows comes a result without rows, which has the columns.
        guard PQresultStatus(end) == PGRES_TUPLES_OK, let rows = collected.take() else { return end }
        PQclear(end)
        return rows
    }

    /// Returns `nil` after the last result, and if the wait was abandoned. Waits in the same way as
    /// `PQgetResult` does: one `poll` and one read if the response arrives in one piece.
    func nextResult(until limit: Patience.Limit) -> OpaquePointer? {
        guard !isAbandoned else { return nil }
        while PQisBusy(connection) == 1, exchange(sending: PQflush(connection) == 1, until: limit) {}
        return isAbandoned ? nil : PQgetResult(connection)
    }

    /// Waits until the socket has input, or room for output, and reads the input. Returns false if the
    /// connection is broken, which libpq's next call reports, or the limit has passed: then it is abandoned.
    func exchange(sending hasMoreToSend: Bool, until limit: Patience.Limit) -> Bool {
        var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        if hasMoreToSend { socket.events |= Int16(POLLOUT) }
        guard let milliseconds = limit.pollMilliseconds(now: .now) else {
            limit.ending?.noteAbandoned(now: .now)
            (isAbandoned, hasTimedOut) = (true, limit.hasTimedOut(now: .now))
            return false
        }
        // Reads whatever `poll` returned: TLS may have buffered data already read from the socket.
        _ = poll(&socket, 1, milliseconds)
        return PQconsumeInput(connection) == 1
    }

    /// Sends one step, within a pipeline or alone. Returns false if the connection is broken.
    private func send(_ step: ObservedStatement) -> Bool {
        withPointers(to: step.parameters) { count, values, lengths, formats in
            if preparesStatements, step.statement != nil {
                return PQsendQueryPrepared(connection, step.name, count, values, lengths, formats, 1)
            }
            return PQsendQueryParams(
                connection, schema.inserted(into: step.text), count, step.parameters.map(\.oid), values,
                lengths, formats, 1)
        } == 1
    }

    private func rows(
        _ result: OpaquePointer?, of step: ObservedStatement
    ) throws(PostgresError) -> PostgresRows {
        let rows = PostgresRows(result: try check(result, statement: step.name), statement: step.name)
        // The server responds to the COMMIT of a failed transaction with ROLLBACK, and without an error.
        guard step.statement != nil || rows.commandStatus == step.text else {
            throw .unexpectedResult(statement: step.name, detail: "the transaction had been rolled back")
        }
        return rows
    }

    func check(_ result: OpaquePointer?, statement: String) throws(PostgresError) -> OpaquePointer {
        guard let result else {
            throw hasTimedOut ? .timedOut(statement: statement) : .connectionLost(statement: statement)
        }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            return result
        default:
            defer { PQclear(result) }
            throw error(of: result, statement: statement)
        }
    }

    private func error(of result: OpaquePointer, statement: String) -> PostgresError {
        /// A field by its code, of which `postgres_ext.h` has macros that Swift does not import.
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        guard PQstatus(connection) == CONNECTION_OK, let code = field("C") else {
            return .connectionLost(statement: statement)
        }
        // An internal error of Citus mostly means that nodes lost each other: an error of the system.
        let sqlState = SQLState(rawValue: citus != nil && code == "XX000" ? "58000" : code)
        // A violated check has a name; a row without a partition has the same code and no name.
        if sqlState == .checkViolation, field("n") == nil { return .noPartition(statement: statement) }
        return .server(
            sqlState: sqlState, message: advised((field("M") ?? "").onOneLine, sqlState),
            statement: statement)
    }

    /// The message, followed by the missing GRANT.
    private func advised(_ message: String, _ sqlState: SQLState) -> String {
        guard sqlState == .insufficientPrivilege, let user = PQuser(connection),
            let database = PQdb(connection)
        else { return message }
        let missing = MissingGrant(
            message: message, role: String(cString: user), database: String(cString: database),
            schema: schema)
        return "\(message). \(missing.advice)"
    }
}
