internal import SQLFiles

extension PostgresConnection {
    /// Runs the body in one read-only transaction. All its statements see the database as of the body's first query, so their
    /// results are consistent with each other; what a script locks before that query is still there afterward. Each statement is
    /// planned for its own parameters, whatever the session's or role's settings.
    ///
    /// Must not be called within a transaction. The body may not write (SQLSTATE 25006).
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try execute(script: .Administration.useSnapshot)
            if let timeout = timeoutOfTransaction { try limitWaiting(timeout, isLocal: true) }
            return try body()
        }
    }

    /// Makes the server cancel what waits too long, a little before this client does. It is not a query, so it takes no snapshot.
    ///
    /// - Parameter isLocal: true until the transaction's end, false until the session's.
    func limitWaiting(_ timeout: Duration, isLocal: Bool) throws(PostgresError) {
        let file = SQLFile.Administration.limitWaiting
        let milliseconds = Int64((timeout / .milliseconds(1)).rounded())
        let text = file.text.replacing(":scope", with: isLocal ? "LOCAL" : "SESSION")
            .replacing(":statement_ms", with: String(milliseconds * 13 / 15))
            .replacing(":lock_ms", with: String(milliseconds * 10 / 15))
            .replacing(":idle_ms", with: String(milliseconds))
        try execute(script: SQLFile(name: file.name, text: text))
    }
}
