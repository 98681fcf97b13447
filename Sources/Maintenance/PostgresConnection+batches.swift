internal import Instants
internal import PostgresClient
internal import SQLFiles

extension PostgresConnection {
    /// Runs a statement about rows from before $1, at most $2 of them and each time a transaction, until one finds fewer.
    ///
    /// - Returns: the number of all rows.
    func inBatches(
        _ statement: SQLFile, before instant: Instant, isStopped: () -> Bool
    ) throws -> Int64 {
        let batchSize: Int64 = 5_000
        var rows: Int64 = 0
        while !isStopped() {
            let found: Int64 = try batch {
                try query(statement, [.value(instant), .value(batchSize)]).single().get("row_count")
            }
            rows += found
            guard found == batchSize else { break }
        }
        return rows
    }
}
