import ArgumentParser
import LandfallServer

struct ConfigCommand: ParsableCommand {
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
