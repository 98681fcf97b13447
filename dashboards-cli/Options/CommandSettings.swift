internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Rendering
internal import Settings
internal import Vault

/// The server's settings that commands need as well: the database, how to connect to it, and the token key.
///
/// They come from the same flags, variables and configuration file, so that a command works
/// on the database of the server next to it.
struct CommandSettings: DatabaseSettings {
    var dataFolder = "~/.landfall"
    var tokenKey = ""
    var databaseURL = ""
    var databaseCells = CellList()
    var preparesStatements = true
    var isDistributed = false
    var allowsUnsafeDatabase = false
    var postgresPrograms = ""

    static let all: [Setting<CommandSettings>] = [
        .data, .tokenKey, .databaseURL, .databaseCells, .preparedStatements, .distribution, .allowUnsafe,
        .postgresPrograms,
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
    /// The source of the databases.
    private let origin: SettingOrigin

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
        let cells = values.cells
        origin = read.origin(of: values.databaseCells.addresses.isEmpty ? .databaseURL : .databaseCells)
        databaseName =
            if values.usesPrivateDatabase {
                "the private database in \(Self.shortened(dataFolder.path, environment))"
            } else if cells.count > 1 {
                "the databases of cells \(cells.map(\.cell.description).joined(separator: ", ")) (\(origin))"
            } else {
                "the database \(printable(ConnectionString.redacted(cells[0].url))) (\(origin))"
            }
    }

    /// The database of a cell, if no private one is used.
    func database(of cell: CellNumber) throws(CommandProblem) -> ChosenDatabase {
        guard let address = values.cells.first(where: { $0.cell == cell }) else {
            throw CommandProblem("cell \(cell) is not in database.cells (\(origin)): add it")
        }
        return ChosenDatabase(
            url: address.url, schema: address.schema, cell: values.cells.count > 1 ? cell : nil,
            front: cell == .front ? nil : values.cells.first, isPrivate: false,
            preparesStatements: values.preparesStatements, isDistributed: values.isDistributed)
    }

    private static func shortened(_ path: String, _ environment: [String: String]) -> String {
        guard let home = environment["HOME"], !home.isEmpty, path.hasPrefix(home + "/") else {
            return printable(path)
        }
        return "~" + printable(String(path.dropFirst(home.count)))
    }
}

/// The server that the Debian package installs. Its folders are root's and its own user's.
enum PackagedServer {
    static let configuration = "/etc/landfall/landfall.json"
    static let secrets = "/etc/landfall/secrets"

    /// Whether commands use it: it is installed, no other database is named, and the user has no private one.
    static func isMeant(flags: [String: String], file: String?, environment: [String: String]) -> Bool {
        let names = ["CONFIG", "DATABASE_URL", "DATABASE_CELLS", "DATA"]
        return flags.isEmpty && file == nil
            && names.allSatisfy { (environment["LANDFALL_\($0)"] ?? "").isEmpty }
            && FileManager.default.fileExists(atPath: configuration)
            && EmbeddedPostgres.condition(of: DataFolder(environment: environment).url) == .absent
    }
}

extension TokenVault {
    /// The vault of the server that filled this database, held until the connection ends.
    ///
    /// - Parameters:
    ///   - settings: the location of the key.
    ///   - makesKey: creates a key if there is none. Only correct for a private database, whose server looks
    ///     in the same place.
    /// - Throws: ``CommandProblem/noTokenKey`` and `TokenKeyError`, whose descriptions state the remedy.
    static func ofServer(
        _ connection: PostgresConnection, _ settings: FoundSettings, makesKey: Bool = false
    ) throws -> TokenVault {
        let (folder, environment) = (settings.dataFolder, settings.environment)
        guard
            let key = try makesKey
                ? TokenKey.load(dataFolder: folder, environment: environment, ofPrivate: connection)
                : TokenKey.find(dataFolder: folder, environment: environment)
        else {
            throw CommandProblem.noTokenKey
        }
        let vault = TokenVault(key)
        try vault.claim(connection)
        try vault.hold(connection)
        return vault
    }
}
