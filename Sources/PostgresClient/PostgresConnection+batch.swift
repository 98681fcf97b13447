internal import SQLFiles

extension PostgresConnection {
    /// Runs the body in a transaction for statements that look up or write the rows of a batch, under any settings of the
    /// session.
    ///
    /// Without statistics, or with a plan from when the tables were small, the planner would read whole tables for each batch.
    public func batch<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction {
            try planOnce(isLocal: true)
            return try body()
        }
    }

    /// Plans statements once and with index lookups.
    ///
    /// - Parameter isLocal: true until the transaction's end, false until the session's.
    func planOnce(isLocal: Bool) throws(PostgresError) {
        let file = SQLFile.Administration.planOnce
        let text = file.text.replacing(":scope", with: isLocal ? "LOCAL" : "SESSION")
        try execute(script: SQLFile(name: file.name, text: text))
    }
}
