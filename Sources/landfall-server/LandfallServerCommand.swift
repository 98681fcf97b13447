import ArgumentParser
import LandfallServer

@main
struct LandfallServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-server",
        abstract: "Records what happened to push notifications, over HTTP and in PostgreSQL.",
        discussion: """
            Without a database it starts a private PostgreSQL in LANDFALL_DATA (default ~/.landfall).

            Example: landfall-server serve --port 8080
            """,
        subcommands: [ServeCommand.self],
        defaultSubcommand: ServeCommand.self)
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves until SIGTERM or SIGINT; then finishes the requests it has and exits 0.",
        discussion: """
            Example: landfall-server serve --port 8080 --database postgres://landfall@db.example.com/landfall
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL URL or connection string. Default: LANDFALL_DATABASE_URL, else the private database.",
            valueName: "url"))
    var database: String?

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be between 0 and 65535")
        }
    }

    func run() async throws {
        try await LandfallService(host: host, port: port, databaseURL: database).run()
    }
}
