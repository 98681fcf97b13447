import ArgumentParser
import LandfallServer

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
        }
    }
}
