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

    /// Runs a transaction, and again if it conflicts with another, such as one of ingestion: at most four times.
    public func retrying<Value>(_ transaction: () throws -> Value) throws -> Value {
        for _ in 1...3 {
            do {
                return try transaction()
            } catch let error as PostgresError where error.isTransient && !error.endsConnection {
                continue
            }
        }
        return try transaction()
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
