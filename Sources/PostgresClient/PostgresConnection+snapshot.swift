internal import SQLFiles

extension PostgresConnection {
    /// Runs the body in one read-only transaction whose statements all see the database as it is at the first query of the body,
    /// so that figures read one after the other belong together: what a script locks before that one is still there afterwards.
    /// Each is planned for its own parameters, whatever the session or the role is set to.
    ///
    /// Must not be called within a transaction. The body may not write (SQLSTATE 25006).
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try execute(script: .Administration.useSnapshot)
            if let timeout = timeoutOfTransaction { try limitWaiting(timeout, isLocal: true) }
            return try body()
        }
    }

    /// Has the server give up what waits too long, a little before this client does. Is no query, so it takes no snapshot.
    ///
    /// - Parameter isLocal: until the transaction's end, else until the session's.
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
