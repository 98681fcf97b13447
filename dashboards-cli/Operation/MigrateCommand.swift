internal import Access
internal import ArgumentParser
internal import People
internal import PostgresClient
internal import Rendering

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the schema of the database up to date.",
        discussion: """
            Migrations only go forward. The command is safe to run from many machines at once, and prints \
            the names of the migrations that it applied. If there are several cells, it also gives a cell \
            new ids once half of the old ones are used.

              landfall migrate --database postgres://landfall@db.example.com/landfall
              landfall migrate --report-role analyst
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(
        help: .value(
            "Also let this PostgreSQL role read the views of the schema report_v1, and nothing else. The role is created if it does not exist (docs/sql.md).",
            "name"))
    var reportRole: String?

    func run() throws {
        try database.withEachCell { database, _ in
            let connection = try database.unmigratedConnection().coordinating()
            try database.check(connection)
            let applied = try Migrator().migrate(connection)
            for name in applied { try Audit.recordCommand("migrated", subject: name, on: connection) }
            if let reportRole {
                try ReportRole.grant(reportRole, on: connection)
                try Audit.recordCommand("report_role_granted", subject: reportRole, on: connection)
            }
            try Stdout.write(lines: applied.map { name in database.cell.map { "\($0) \(name)" } ?? name })
            if applied.isEmpty { note("nothing to do: the schema is up to date") }
            if let reportRole {
                note(
                    "\(printable(reportRole)) may read the views of \(connection.schema.reports). To set its password: psql -c '\\password \(printable(reportRole))'"
                )
            }
            try database.renewRange(on: connection)
        }
    }
}
