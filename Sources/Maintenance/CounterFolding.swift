internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Folds old counters into one row instead of one per writer.
struct CounterFolding {
    let connection: PostgresConnection

    private static let batchSize: Int64 = 5_000
    private static let tables: [(name: String, statement: SQLFile)] = [
        ("counter_live", .Maintenance.foldCounters),
        ("latency_rollup", .Maintenance.foldLatencyRollup),
        ("intake_rollup", .Maintenance.foldIntakeRollup),
        ("version_rollup", .Maintenance.foldVersionRollup),
    ]

    /// Folds counters from before an instant. Each batch is a transaction; rows that a writer has
    /// locked are left for the next run.
    func fold(before: Instant, isStopped: () -> Bool) throws -> [MaintenanceReport.Folded] {
        try Self.tables.map { table in
            var rows: Int64 = 0
            while !isStopped() {
                let folded: Int64 = try connection.query(
                    table.statement, [.value(before), .value(Self.batchSize)]
                ).single().get(0)
                rows += folded
                guard folded == Self.batchSize else { break }
            }
            return MaintenanceReport.Folded(table: table.name, rows: rows)
        }
    }
}
