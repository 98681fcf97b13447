internal import EmbeddedPostgres
internal import Foundation
internal import Rendering
internal import Settings

/// The server's settings that commands need as well: the database, how to connect to it, and the token key.
///
/// They come from the same flags, variables and configuration file, so that a command works
/// on the database of the server next to it.
struct CommandSettings: DatabaseSettings {
    var dataFolder = "~/.landfall"
    var tokenKey = ""
    var databaseURL = ""
    var preparesStatements = true
    var allowsUnsafeDatabase = false
    var postgresPrograms = ""

    static let all: [Setting<CommandSettings>] = [
        .data, .tokenKey, .databaseURL, .preparedStatements, .allowUnsafe, .postgresPrograms,
    ]
}

/// The settings of one command, as read.
struct FoundSettings {
    let values: CommandSettings
    /// The environment, for parts that read variables themselves.
    let environment: [String: String]
    let dataFolder: URL
    /// The database as text without a password: `the private database in ~/.landfall`.
    let databaseName: String

    /// - Throws: `SettingsError`.
    init(
        flags: [String: String], file: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) {
        let package = PackagedServer.isMeant(flags: flags, file: file, environment: environment)
        let read = try ReadSettings(
            CommandSettings.all, defaults: CommandSettings(), flags: flags,
            file: package ? PackagedServer.configuration : file,
            credentials: package ? PackagedServer.secrets : nil, environment: environment)
        values = read.values
        self.environment = read.environment(over: environment)
        dataFolder = DataFolder(environment: self.environment).url
        databaseName =
            values.databaseURL.isEmpty
            ? "the private database in \(Self.shortened(dataFolder.path, environment))"
            : "the database \(printable(ConnectionString.redacted(values.databaseURL))) "
                + "(\(read.origin(of: .databaseURL)))"
    }

    private static func shortened(_ path: String, _ environment: [String: String]) -> String {
        guard let home = environment["HOME"], !home.isEmpty, path.hasPrefix(home + "/") else {
            return printable(path)
        }
        return "~" + printable(String(path.dropFirst(home.count)))
    }
}
