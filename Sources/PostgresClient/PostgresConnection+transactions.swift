internal import Foundation

extension PostgresConnection {
    /// Runs the body in a transaction for statements that look up or write the rows of a batch, under any
    /// settings of the session.
    ///
    /// Without statistics, or with a plan from when the tables were small, the planner would read whole
    /// tables for each batch.
    public func batch<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try planOnce(isLocal: true)
            return try body()
        }
    }

    /// Runs a transaction, at most four times if it conflicts with another, such as one of ingestion. If it
    /// got no lock, those that waited behind it continue first.
    public func retrying<Value>(_ transaction: () throws -> Value) throws -> Value {
        for _ in 1...3 {
            do {
                return try transaction()
            } catch let error as PostgresError where error.isTransient && !error.endsConnection {
                if error.sqlState == .lockNotAvailable { Thread.sleep(forTimeInterval: 0.3) }
            }
        }
        return try transaction()
    }

    /// Fails the transaction if one of these apps is being moved (``PostgresError/movingApp``). Sent with the
    /// next statement. Whatever writes rows of apps calls it: until the transaction ends, no move begins.
    ///
    /// Outside of a transaction, it only asks.
    public func fence(_ apps: some Sequence<Int64>) throws(PostgresError) {
        let fence = PostgresStatement(.Moving.refuseMoving, [.array(Set(apps).sorted())])
        if isInTransaction { enqueue(fence) } else { _ = try query([fence]) }
    }

    /// Plans statements once and with index lookups. Citus accepts no generic plans, so there each is planned
    /// again.
    ///
    /// - Parameter isLocal: true until the transaction's end, false until the session's.
    func planOnce(isLocal: Bool) throws(PostgresError) {
        let file = SQLFile.Administration.planOnce
        let text = citus == nil ? file.text : file.text.replacing("force_generic_plan", with: "auto")
        try set(SQLFile(name: file.name, text: text), isLocal: isLocal, [:])
    }

    /// Runs the body in a read-only transaction. All its statements see the database as of the body's first
    /// query, so their results are consistent; what a script locks before it is still there afterward. Each
    /// statement is planned for its own parameters, whatever the session's or role's settings.
    ///
    /// Must not be called within a transaction. The body may not write (SQLSTATE 25006).
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try execute(script: .Administration.useSnapshot)
            if let timeout = timeoutOfTransaction { try limitWaiting(timeout, isLocal: true) }
            return try body()
        }
    }

    /// Makes the server cancel what waits too long, a little before this client does. It is not a query, so
    /// it takes no snapshot.
    ///
    /// - Parameter isLocal: true until the transaction's end, false until the session's.
    func limitWaiting(_ timeout: Duration, isLocal: Bool) throws(PostgresError) {
        let milliseconds = Int64((timeout / .milliseconds(1)).rounded())
        try set(
            .Administration.limitWaiting, isLocal: isLocal,
            [
                ":statement_ms": milliseconds * 13 / 15, ":lock_ms": milliseconds * 10 / 15,
                ":idle_ms": milliseconds,
            ])
    }

    /// `SET` accepts no parameters, so words are replaced in its text.
    private func set(_ file: SQLFile, isLocal: Bool, _ numbers: [String: Int64]) throws(PostgresError) {
        let text = numbers.reduce(file.text.replacing(":scope", with: isLocal ? "LOCAL" : "SESSION")) {
            $0.replacing($1.key, with: String($1.value))
        }
        try execute(script: SQLFile(name: file.name, text: text))
    }
}
