internal import EmbeddedPostgres
internal import Foundation
internal import Settings

/// The server that the Debian package installs. Its folders are root's and its own user's.
enum PackagedServer {
    static let configuration = "/etc/landfall/landfall.json"
    static let secrets = "/etc/landfall/secrets"

    /// Whether a command works on it: it is installed, nothing names another database, and this user has no private one.
    static func isMeant(flags: [String: String], file: String?, environment: [String: String]) -> Bool {
        let names = [
            ConfigurationFile.environmentVariable, "LANDFALL_DATABASE_URL", "LANDFALL_DATA",
        ]
        return flags.isEmpty && file == nil && names.allSatisfy { (environment[$0] ?? "").isEmpty }
            && FileManager.default.fileExists(atPath: configuration)
            && EmbeddedPostgres.condition(of: DataFolder(environment: environment).url) == .absent
    }
}
