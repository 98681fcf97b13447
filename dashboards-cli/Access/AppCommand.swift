internal import Access
internal import ArgumentParser
internal import Instants
internal import People
internal import PostgresClient
internal import Rendering

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Manage apps, to which all records belong.",
        subcommands: [AppCreateCommand.self, AppListCommand.self, AppShowCommand.self, AppSetCommand.self])
}

struct AppCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an app.",
        discussion: """
            The name is what --app accepts: lowercase letters, digits, '.', '_' and '-'.

              landfall app create shop
            """)

    @Argument(help: "The name of the app, such as shop.") var slug: String
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() throws {
        let app = try database.withConnection { connection in
            try connection.transaction {
                let app = try AppDirectory(connection).createApp(slug: slug, at: .now)
                try Audit.recordCommand("app_created", app: app, on: connection)
                return app
            }
        }
        try Stdout.write(lines: [app.slug])
        note("Create its first key: landfall key create --app \(app.slug) --kind server")
    }
}

struct AppListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all apps.",
        discussion: """
              landfall app list --json
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let apps = try database.withConnection { try AppDirectory($0).apps() }
        let columns = Listing<App>(
            .number("app_id") { $0.appID }, .text("slug", "App", group: 0, isName: true) { $0.slug },
            .init(
                heading: TextTable.Column("Id", group: 1),
                cell: { app, _ in TextTable.Cell(String(app.appID)) }))
        try output.write(columns, apps, as: "apps")
        guard apps.isEmpty else { return }
        try database.noteNothing("There is no app yet")
        note("landfall app create SLUG creates one.")
    }
}
