/// The values of all settings: how the server works, and where it finds what it needs to start.
struct SettingValues: Sendable {
    /// Its `databaseURL` is empty when the private database is meant.
    var server = ServerConfiguration(databaseURL: "")
    var dataFolder = "~/.landfall"
    /// Base64; empty when the key lies in the data folder.
    var tokenKey = ""
    /// The folder with PostgreSQL's programs; empty to search.
    var postgresPrograms = ""
}
