internal import ArgumentParser
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PostgreSQL URL or connection string. Default: LANDFALL_DATABASE_URL, else the private database in LANDFALL_DATA.",
            valueName: "url"))
    var database: String?

    /// Runs the body with a connection to a migrated database. The private cluster is given up at the end,
    /// whatever happens.
    ///
    /// - Throws: ``DatabaseProblem/needsMigration(_:)``: only the private database is ever migrated without
    ///   being asked.
    func withConnection<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try withURL { url, isPrivate in try body(try connect(to: url, isPrivate: isPrivate)) }
    }

    /// A connection to a migrated database, for bodies of ``withURL(_:)``.
    func connect(to url: String, isPrivate: Bool) throws -> PostgresConnection {
        let connection = try PostgresConnection(url: url)
        if isPrivate {
            try Migrator().migrate(connection)
        } else {
            let pending = try Migrator().pending(connection)
            guard pending.isEmpty else { throw DatabaseProblem.needsMigration(pending) }
        }
        return connection
    }

    /// Runs the body with what libpq needs to connect, and whether that is the private database. Nothing is
    /// migrated.
    func withURL<Value>(_ body: (_ url: String, _ isPrivate: Bool) throws -> Value) throws -> Value {
        if let url = configuredURL { return try body(url, false) }
        let cluster = try EmbeddedPostgres.startOrFind(dataFolder: DataFolder().url)
        return try closing(cluster, after: Result { try body(cluster.connectionURL, true) })
    }

    /// The same for bodies that wait, such as those that need a `PostgresPool`.
    func withURL<Value>(_ body: (_ url: String, _ isPrivate: Bool) async throws -> Value) async throws
        -> Value
    {
        if let url = configuredURL { return try await body(url, false) }
        let cluster = try EmbeddedPostgres.startOrFind(dataFolder: DataFolder().url)
        do {
            let value = try await body(cluster.connectionURL, true)
            return try closing(cluster, after: .success(value))
        } catch {
            return try closing(cluster, after: .failure(error))
        }
    }

    /// What there is of the private database; nil when another one is named.
    var privateCondition: EmbeddedPostgres.Condition? {
        configuredURL == nil ? EmbeddedPostgres.condition(of: DataFolder().url) : nil
    }

    private var configuredURL: String? {
        let url = database ?? ProcessInfo.processInfo.environment["LANDFALL_DATABASE_URL"] ?? ""
        return url.isEmpty ? nil : url
    }

    /// When the work and the release both go wrong, the work's error is the one worth knowing.
    private func closing<Value>(_ cluster: EmbeddedPostgres, after result: Result<Value, any Error>) throws
        -> Value
    {
        let release = Result { try cluster.release() }
        let value = try result.get()
        try release.get()
        return value
    }
}

enum DatabaseProblem: Error, Equatable, CustomStringConvertible {
    case needsMigration([String])

    var description: String {
        switch self {
        case .needsMigration(let names):
            "the database lacks the migrations \(names.joined(separator: ", ")): landfall migrate applies them"
        }
    }
}
