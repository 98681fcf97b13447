internal import ArgumentParser
internal import PostgresClient

/// `landfall migrate`: brings the schema up to date. Safe to run from many machines at once.
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database's schema up to date.",
        discussion: """
            Forward only, and safe to run from many machines at once. Prints the names of the migrations it applied.

              landfall migrate --database postgres://landfall@db.example.com/landfall
            """)

    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let applied = try database.withURL { url, _ in try Migrator().migrate(PostgresConnection(url: url)) }
        try Stdout.write(lines: applied)
        if applied.isEmpty { note("nothing to do: the schema is up to date") }
    }
}
