internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Settings
internal import Vault

struct CellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cell", abstract: "Manage cells: databases, or schemas in one, each with its own apps.",
        subcommands: [CellAddCommand.self, CellListCommand.self])
}

struct CellAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a database, or a schema in one, a cell.",
        discussion: """
            Migrates the schema, gives it its number and its ids, and prints its entry for the setting \
            database.cells. Put it next to cell 0's into the settings of every server, and restart them. \
            The command may be repeated.

              landfall cell add 3 --database postgres://landfall@b.example.com/landfall
              landfall cell add 4 --database postgres://landfall@b.example.com/landfall --schema landfall_4
            """)

    @Argument(help: .value("The number of the cell, 1 to 255.", "number")) var number: Int
    @Option(help: .value("The cell's PostgreSQL URL or connection string.", "url")) var database: String
    @Option(help: .value("The cell's schema. Cells of one database need different ones.", "name"))
    var schema = SchemaName.landfall.text
    @Option(help: .value("The server's configuration file (JSON). Default: LANDFALL_CONFIG, if set.", "file"))
    var config: String?

    private var entry: CellAddress? {
        guard let cell = CellNumber(number), cell != .front, let schema = SchemaName(schema) else {
            return nil
        }
        return CellAddress(cell: cell, url: database, schema: schema)
    }

    func validate() throws {
        guard entry != nil else {
            throw ValidationError(
                "A further cell has a number from 1 to 255, and a schema of lowercase letters with a digit or _ in it, such as landfall_3."
            )
        }
    }

    func run() throws {
        guard let entry else { return try validate() }
        let options = try DatabaseOptions.parse(config.map { ["--config", $0] } ?? [])
        let settings = try options.settings()
        let isOther = settings.values.cells.contains { $0.cell == entry.cell && $0 != entry }
        guard !settings.values.usesPrivateDatabase, !isOther else {
            throw CommandProblem(
                isOther
                    ? "cell \(entry.cell) is in database.cells with another url or schema"
                    : "a private database has no further cells: name a database of your own as cell 0")
        }
        try options.withDatabase { front in
            let directory = try front.connect()
            let connection = try PostgresConnection(
                url: entry.url, schema: entry.schema, preparesStatements: front.preparesStatements)
            try Migrator().migrate(connection)
            try? options.withEachCell { if $0.cell != entry.cell { _ = try $0.connect() } }
            try entry.cell.claim(connection, from: directory)
            _ = try TokenVault.ofServer(connection, settings)
            try Audit.recordCommand("cell_added", subject: "cell \(entry.cell)", on: directory)
        }
        try Stdout.write(lines: [CellList([entry]).document().lineText])
        note("Put this next to cell 0 into database.cells of every server, and restart them.")
    }
}

struct CellListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the cells, their apps, and whether they can be used.",
        discussion: """
              landfall cell list --json
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        typealias Row = (address: CellAddress, apps: Int, state: String)
        let cells = try database.settings().values.cells
        let rows = try database.withDatabase { front in
            let apps = try CellDirectory(front.connect()).apps()
            return try cells.map { address -> Row in
                let home = try database.home(of: address.cell, front)
                return (address, apps.filter { $0.cell == address.cell }.count, state(of: home))
            }
        }
        let columns = Listing<Row>(
            .number("cell", "Cell") { Int64($0.address.cell.number) },
            .text("database", "Database") { ConnectionString.redacted($0.address.url) },
            .text("schema", "Schema") { $0.address.schema.text },
            .count("apps", "Apps") { Int64($0.apps) }, .text("state", "State") { $0.state })
        try output.write(columns, rows, as: "cells")
    }

    private func state(of home: ChosenDatabase) -> String {
        do {
            _ = try home.connect()
            return "ready"
        } catch {
            return "\(error)"
        }
    }
}
