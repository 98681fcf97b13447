public import PostgresClient
internal import SQLFiles

/// A role of PostgreSQL that may read the views of `report_v1`, and nothing else of Landfall's.
public struct ReportRole: Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    /// Makes the role, unless it is there, and lets it read the views. It may be repeated.
    ///
    /// - Throws: `PostgresError`; also for a role that could read more than the views, such as the owner of the tables.
    public func grant(on connection: PostgresConnection) throws {
        try connection.transaction {
            try connection.query(.Roles.nameReportRole, [.value(name)])
            try connection.execute(script: .Roles.reportReader)
        }
    }
}
