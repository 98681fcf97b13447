internal import Foundation
internal import Settings

/// The values of all settings: how the server works, and where it finds what it needs to start.
struct SettingValues: DatabaseSettings {
    /// Its `databaseURL` is empty for the private database.
    var server = ServerConfiguration(databaseURL: "")
    var dataFolder = "~/.landfall"
    /// Addresses and ranges, separated by commas.
    var trustedProxies = "" {
        didSet { server.limits.trustedProxies = Self.ranges(trustedProxies) ?? [] }
    }
    /// Base64; empty if the key is in the data folder.
    var tokenKey = ""
    /// The folder with PostgreSQL's programs; empty to search.
    var postgresPrograms = ""

    var databaseURL: String {
        get { server.databaseURL }
        set { server.databaseURL = newValue }
    }

    var preparesStatements: Bool {
        get { server.preparesStatements }
        set { server.preparesStatements = newValue }
    }

    var allowsUnsafeDatabase: Bool {
        get { server.allowsUnsafeDatabase }
        set { server.allowsUnsafeDatabase = newValue }
    }

    /// Returns `nil` if any entry is invalid.
    static func ranges(_ text: String) -> [AddressRange]? {
        let ranges = text.split(separator: ",").map {
            AddressRange($0.trimmingCharacters(in: .whitespaces))
        }
        return ranges.contains { $0 == nil } ? nil : ranges.compactMap { $0 }
    }
}
