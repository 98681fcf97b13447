internal import Foundation
internal import Settings

/// The values of all settings: how the server works, and where it finds what it needs to start.
struct SettingValues: DatabaseSettings {
    /// Its `databaseURL` is empty when the private database is meant.
    var server = ServerConfiguration(databaseURL: "")
    var dataFolder = "~/.landfall"
    /// Addresses and ranges with commas between them.
    var trustedProxies = "" {
        didSet { server.limits.trustedProxies = Self.ranges(trustedProxies) ?? [] }
    }
    /// Base64; empty when the key lies in the data folder.
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

    /// Nil when one of them is none.
    static func ranges(_ text: String) -> [AddressRange]? {
        let ranges = text.split(separator: ",").map {
            AddressRange($0.trimmingCharacters(in: .whitespaces))
        }
        return ranges.contains { $0 == nil } ? nil : ranges.compactMap { $0 }
    }
}
