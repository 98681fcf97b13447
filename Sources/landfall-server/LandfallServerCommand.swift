import ArgumentParser
import CommandNames
import DeliveryModel

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
        subcommands: [ServeCommand.self, ConfigCommand.self],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        UnknownCommand.refuse(in: Array(CommandLine.arguments.dropFirst()), of: Self.self)
        await main(nil)
    }
}
