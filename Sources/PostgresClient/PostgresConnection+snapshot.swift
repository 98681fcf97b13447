internal import SQLFiles

extension PostgresConnection {
    /// Runs the body in one read-only transaction whose statements all see the database as it is at the first
    /// of them, so that figures read one after the other belong together. Each is planned for its own parameters, whatever the
    /// session or the role is set to.
    ///
    /// Must not be called within a transaction. The body may not write (SQLSTATE 25006).
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try execute(script: .Administration.useSnapshot)
            if let timeout = timeoutOfTransaction { try limitWaiting(timeout, isLocal: true) }
            return try body()
        }
    }

    /// Has the server give up what waits too long, a little before this client does.
    ///
    /// - Parameter isLocal: until the transaction's end, else until the session's.
    func limitWaiting(_ timeout: Duration, isLocal: Bool) throws(PostgresError) {
        let milliseconds = timeout / .milliseconds(1)
        try query(.Administration.limitWaiting, [.value(Int64(milliseconds.rounded())), .value(isLocal)])
    }
}
