internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Folds old counters into one row instead of one per writer.
struct CounterFolding {
    let connection: PostgresConnection

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
            let rows = try connection.inBatches(table.statement, before: before, isStopped: isStopped)
            return MaintenanceReport.Folded(table: table.name, rows: rows)
        }
    }
}
