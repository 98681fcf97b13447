internal import SQLFiles

extension PostgresConnection {
    /// Runs the body in one read-only transaction whose statements all see the database as it is at the first
    /// of them, so that figures read one after the other belong together.
    ///
    /// Must not be called within a transaction. The body may not write (SQLSTATE 25006).
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try execute(script: .Administration.useSnapshot)
            return try body()
        }
    }
}
