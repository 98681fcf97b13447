import ArgumentParser
internal import Basics
import Foundation
import LandfallServer
import Settings

/// The flags of the commands that read settings. They stay strings, so that all errors are reported at once.
struct SettingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (JSON). Default: LANDFALL_CONFIG, if set.", valueName: "file"))
    var config: String?

    @Option(help: "The address to listen on. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one. Default: 8080.")
    var port: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL URL or connection string. Default: LANDFALL_DATABASE_URL, otherwise the private database.",
            valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. Default: notice.", valueName: "level"))
    var logLevel: String?

    /// Parses the settings; if any is invalid, prints the errors to standard error and exits with 64.
    func effective() throws -> EffectiveSettings {
        let flags = ["host": host, "port": port, "database.url": database, "log.level": logLevel]
        do {
            return try EffectiveSettings(
                flags: flags.compactMapValues { $0 }, file: config,
                environment: ProcessInfo.processInfo.environment)
        } catch {
            tell(error.description)
            throw ExitCode(64)
        }
    }
}

/// Writes lines to standard error; only results go to standard output. Control characters in names are
/// escaped, so that they cannot affect the terminal.
func tell(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0).controlsEscaped + "\n"
    }
    FileHandle.standardError.write(Data(lines.joined().utf8))
}
