internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Maintenance
internal import People
internal import PostgresClient
internal import Rendering
internal import Settings
internal import Vault

struct CellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cell", abstract: "Manage cells: databases with apps of their own.",
        subcommands: [CellAddCommand.self, CellStatusCommand.self, CellMoveCommand.self])
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
            _ = try TokenVault.ofServer(directory, settings)
            let home = ChosenDatabase(
                url: entry.url, schema: entry.schema, cell: entry.cell, front: settings.values.cells.first,
                isPrivate: false, preparesStatements: front.preparesStatements,
                isDistributed: front.isDistributed)
            let connection = try home.unmigratedConnection()
            try Migrator().migrate(connection)
            for other in settings.values.cells where other.cell != entry.cell {
                _ = try? settings.database(of: other.cell).connect()
            }
            try entry.cell.claim(connection.coordinating(), from: directory.coordinating())
            _ = try TokenVault.ofServer(connection, settings)
            try home.report(connection)
            try Audit.recordCommand("cell_added", subject: "cell \(entry.cell)", on: directory)
        }
        try Stdout.write(lines: [CellList([entry]).document().lineText])
        note("Put this next to cell 0 into database.cells of every server, and restart them.")
    }
}

struct CellStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "List the cells, how full each is, or why it cannot be used.",
        discussion: """
            The migrations that were applied, the apps, the notifications that they sent in the last 7 days, \
            the size of the whole database, and the highest share of its ids that a table has used.

              landfall cell status --json
            """, aliases: ["list"])

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let cells = try database.withDatabase { try CellState.all(database, $0) }
        let columns = Listing<CellState>(
            .number("cell", "Cell") { Int64($0.address.cell.number) },
            .text("database", "Database", isName: true) { ConnectionString.redacted($0.address.url) },
            .text("schema", "Schema") { $0.address.schema.text },
            .count("migrations", "Migrations") { $0.migrations }, .count("apps", "Apps") { $0.apps },
            .count("notifications", "Sent in 7 days") { $0.notifications },
            .number("database_bytes") { $0.databaseBytes },
            .text(nil, "Database size") { $0.databaseBytes.map { "\(grouped($0 >> 20)) MiB" } },
            .init(id: "id_share", value: { .optional($0.idShare) }),
            .text(nil, "Ids used") { $0.idShare.map { "\(percent($0)) %" } },
            .text("state", "State") { $0.state })
        try output.write(columns, cells, as: "cells")
    }
}

/// A cell, and how full it is.
struct CellState {
    let address: CellAddress
    /// As cell 0 knows them.
    var apps: Int64?
    /// `ready`, or why the cell cannot be used.
    var state = "ready"
    /// `nil` if the cell cannot be used.
    var migrations, notifications, databaseBytes: Int64?
    /// `nil` also if there is only one cell.
    var idShare: Double?

    static func all(_ options: DatabaseOptions, _ front: ChosenDatabase) throws -> [CellState] {
        let apps = try? CellDirectory(front.connect()).apps()
        return try options.settings().values.cells.map { address in
            var state = CellState(address: address)
            state.apps = apps.map { Int64($0.count { $0.cell == address.cell }) }
            do {
                let connection = try options.home(of: address.cell, front).connect()
                let load = try connection.query(.Access.cellLoad).single()
                state.databaseBytes = try KeptMonth.databaseBytes(on: connection)
                state.idShare = try connection.query(.Access.idUse).first?.get("share", as: Double.self)
                state.migrations = try load.get("migrations", as: Int64.self)
                state.notifications = try load.get("notifications", as: Int64.self)
            } catch {
                state.state = "\(error)"
            }
            return state
        }
    }
}
