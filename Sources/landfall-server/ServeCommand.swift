import ArgumentParser
import LandfallServer

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract:
            "Serves until SIGTERM, SIGINT or a closed terminal; then finishes the requests it has and exits 0.",
        discussion: """
            Exits 64 when a setting is wrong and 3 when the database may lose what it commits.

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
