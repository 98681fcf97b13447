public import PostgresClient

/// A PostgreSQL role that may read the views of `report_v1`, and nothing else of Landfall.
public enum ReportRole {
    /// Creates the role unless it exists, and lets it read the views. Idempotent.
    ///
    /// - Throws: `PostgresError`, also if the role can read more than the views, such as the tables' owner.
    public static func grant(_ name: String, on connection: PostgresConnection) throws {
        try connection.transaction {
            try connection.query(.Roles.nameReportRole, [.value(name)])
            try connection.execute(script: .Roles.reportReader)
        }
    }
}
