import ArgumentParser

@main
struct LandfallServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-server",
        abstract: "Records what happened to push notifications, over HTTP and in PostgreSQL.",
        discussion: """
            Without a database it starts a private PostgreSQL in LANDFALL_DATA (default ~/.landfall).

            Example: landfall-server serve --port 8080
            """,
        subcommands: [ServeCommand.self, ConfigCommand.self],
        defaultSubcommand: ServeCommand.self)
}
