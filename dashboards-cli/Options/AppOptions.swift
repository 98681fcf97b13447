internal import Access
internal import ArgumentParser
internal import PostgresClient
internal import Reports

/// The database, and the app in it.
struct AppOptions: ParsableArguments {
    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @Option(
        help: ArgumentHelp("The app. Optional if there is only one.", valueName: "slug"), completion: .apps)
    var app: String?

    /// Runs the body with the app and a connection to a migrated database.
    func withApp<Value>(_ body: (App, PostgresConnection) throws -> Value) throws -> Value {
        try database.withConnection { connection in
            try body(try chosen(on: connection), connection)
        }
    }

    /// The app that was named, or the only one.
    func chosen(on connection: PostgresConnection) throws -> App {
        try asUsage { try App.named(app, among: AppDirectory(connection).apps()) }
    }
}
