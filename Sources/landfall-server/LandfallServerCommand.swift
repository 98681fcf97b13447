import ArgumentParser
import CommandNames
import DeliveryModel
import LandfallServer

@main
struct LandfallServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-server",
        abstract: "Record what happened to push notifications, over HTTP and in PostgreSQL.",
        discussion: """
            If no database is named, starts a private PostgreSQL in LANDFALL_DATA (default: ~/.landfall).

            Example: landfall-server serve --port 8080
            """,
        version: LandfallVersion.text(of: "landfall-server"),
        subcommands: [ServeCommand.self, SettingsCommand.self],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        UnknownCommand.refuse(in: Array(CommandLine.arguments.dropFirst()), of: Self.self)
        await main(nil)
    }
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract:
            "Serve until SIGTERM, SIGINT or a closed terminal, then finish requests in progress and exit with 0.",
        discussion: """
            Exits with 64 if a setting is wrong, and with 3 if the database may lose what it commits.

            Example: landfall-server serve --port 8080 --database postgres://landfall@db.example.com/landfall
            """)

    @OptionGroup var settings: SettingOptions

    func run() async throws {
        do {
            try await LandfallService(settings: settings.effective()).run()
        } catch let error as UnsafeDatabase {
            tell(error.description)
            throw ExitCode(3)
        } catch ServeError.wrongCell(let trouble) {
            tell(trouble)
            throw ExitCode(64)
        }
    }
}

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show every setting with its value and its origin; secrets are hidden.",
        discussion: """
            Accepts the same flags, environment and file as serve, and exits with 64 if something in them is \
            wrong.

            Example: landfall-server config --config /etc/landfall.json
            """)

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Print a JSON document.")
    var json = false

    func run() throws {
        let settings = try settings.effective()
        for warning in settings.warnings { tell("warning: \(warning)") }
        print(json ? settings.json : settings.table)
    }
}
