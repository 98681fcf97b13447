import ArgumentParser
import LandfallServer

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows every setting, its value and where it came from; secrets are left out.",
        discussion: """
            Takes the same flags, environment and file as serve, and exits 64 when something in them is wrong.

            Example: landfall-server config --config /etc/landfall.json
            """)

    @OptionGroup var settings: SettingOptions

    @Flag(help: "Prints a JSON document.")
    var json = false

    func run() throws {
        let settings = try settings.effective()
        for warning in settings.warnings { tell("warning: \(warning)") }
        print(json ? try settings.json() : settings.table)
    }
}
