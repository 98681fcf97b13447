internal import PostgresClient

/// A database that can be connected to.
struct ChosenDatabase: Sendable {
    /// Any connection string that libpq accepts.
    let url: String
    let isPrivate: Bool
    /// False if it is behind PgBouncer before 1.21 in transaction mode.
    let preparesStatements: Bool

    /// A connection to the migrated database.
    func connect() throws -> PostgresConnection {
        let connection = try unmigratedConnection()
        if isPrivate {
            try Migrator().migrate(connection)
        } else {
            let pending = try Migrator().pending(connection)
            guard pending.isEmpty else { throw DatabaseProblem.needsMigration(pending) }
            try Migrator().checkIsNotNewer(connection)
        }
        return connection
    }

    func unmigratedConnection() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(url: url, preparesStatements: preparesStatements)
    }

    func pool(size: Int) -> PostgresPool.Configuration {
        PostgresPool.Configuration(url: url, size: size, preparesStatements: preparesStatements)
    }
}
