internal import ArgumentParser
internal import ChildPrograms
internal import Dispatch
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Settings
internal import Synchronization

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PostgreSQL URL or connection string. Default: LANDFALL_DATABASE_URL, then database.url in the configuration file, then the private database in LANDFALL_DATA.",
            valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The server's configuration file (JSON). Default: LANDFALL_CONFIG, if set.", valueName: "file"))
    var config: String?

    /// What the command line, the environment and the configuration file say. Exits 64 if any of it is wrong.
    func settings() throws -> FoundSettings {
        do {
            return try FoundSettings(
                flags: database.map { ["database.url": $0] } ?? [:], file: config)
        } catch {
            for problem in error.problems { note("Error: \(problem)") }
            throw ExitCode.validationFailure
        }
    }

    /// Runs the body with a connection to a migrated database. The private cluster is given up at the end,
    /// whatever happens.
    ///
    /// - Throws: ``DatabaseProblem``: only the private database is ever migrated without being asked, and none is created here.
    func withConnection<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try withDatabase { try body(try $0.connect()) }
    }

    /// Runs the body with the database, which is there but perhaps not migrated.
    ///
    /// - Parameter creates: makes an empty private database where there is none. Only for a restore.
    func withDatabase<Value>(creates: Bool = false, _ body: (ChosenDatabase) throws -> Value) throws -> Value
    {
        let settings = try settings()
        let opened = OpenedCluster()
        return try StopSignals.releasing(opened.release) {
            let (database, cluster) = try opened.opening { try open(settings, creates: creates) }
            return try closing(cluster, settings, after: Result { try body(database) })
        }
    }

    /// The same for bodies that wait, such as those that need a `PostgresPool`.
    func withDatabase<Value>(_ body: (ChosenDatabase) async throws -> Value) async throws -> Value {
        let settings = try settings()
        let (database, cluster) = try open(settings)
        do {
            return try closing(cluster, settings, after: .success(try await body(database)))
        } catch {
            return try closing(cluster, settings, after: .failure(error))
        }
    }

    /// What there is of the private database; `nil` if another one is named.
    func privateCondition() throws -> EmbeddedPostgres.Condition? {
        let settings = try settings()
        guard settings.values.databaseURL.isEmpty else { return nil }
        return EmbeddedPostgres.condition(of: settings.dataFolder)
    }

    /// Says on standard error that something is not there, and which database was asked.
    func noteNothing(_ what: String) throws {
        note("\(what) in \(try settings().databaseName).")
    }

    private func open(_ settings: FoundSettings, creates: Bool = false) throws -> (
        ChosenDatabase, EmbeddedPostgres?
    ) {
        let values = settings.values
        guard values.databaseURL.isEmpty else {
            let database = ChosenDatabase(
                url: values.databaseURL, isPrivate: false, preparesStatements: values.preparesStatements)
            return (database, nil)
        }
        guard creates || EmbeddedPostgres.condition(of: settings.dataFolder) != .absent else {
            throw DatabaseProblem.absent(place: settings.databaseName)
        }
        let cluster = try EmbeddedPostgres.startOrFind(
            dataFolder: settings.dataFolder, environment: settings.environment)
        let database = ChosenDatabase(
            url: cluster.connectionURL, isPrivate: true, preparesStatements: values.preparesStatements)
        return (database, cluster)
    }

    /// When the work and the release both go wrong, the work's error is the one worth knowing.
    private func closing<Value>(
        _ cluster: EmbeddedPostgres?, _ settings: FoundSettings, after result: Result<Value, any Error>
    ) throws -> Value {
        let release = Result { try cluster?.release() }
        let value = try NotInDatabase.naming(settings.databaseName) { try result.get() }
        try release.get()
        return value
    }
}

/// The private cluster that a command uses, for the moment when a signal ends the command.
private final class OpenedCluster: Sendable {
    private let cluster = Mutex<EmbeddedPostgres?>(nil)
    /// Released once it is known whether there is a cluster.
    private let isKnown = DispatchSemaphore(value: 0)

    func opening(
        _ open: () throws -> (ChosenDatabase, EmbeddedPostgres?)
    ) rethrows -> (ChosenDatabase, EmbeddedPostgres?) {
        defer { isKnown.signal() }
        let opened = try open()
        cluster.withLock { $0 = opened.1 }
        return opened
    }

    /// Waits while the cluster starts: nothing else would stop it.
    func release() {
        isKnown.wait()
        // The program ends; what cannot be stopped now is found by the next command.
        try? cluster.withLock { $0 }?.release()
    }
}

/// A database that can be connected to.
struct ChosenDatabase: Sendable {
    /// Anything libpq accepts.
    let url: String
    let isPrivate: Bool
    /// Off behind PgBouncer before 1.21 in transaction mode.
    let preparesStatements: Bool

    /// A connection to the migrated database.
    func connect() throws -> PostgresConnection {
        let connection = try unmigratedConnection()
        if isPrivate {
            try Migrator().migrate(connection)
        } else {
            let pending = try Migrator().pending(connection)
            guard pending.isEmpty else { throw DatabaseProblem.needsMigration(pending) }
        }
        return connection
    }

    func unmigratedConnection() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(url: url, preparesStatements: preparesStatements)
    }

    func pool(size: Int) -> PostgresPool.Configuration {
        PostgresPool.Configuration(url: url, size: size, preparesStatements: preparesStatements)
    }
}

enum DatabaseProblem: Error, Equatable, CustomStringConvertible {
    /// `place` is the private database in words.
    case absent(place: String)
    case needsMigration([String])

    var description: String {
        switch self {
        case .absent(let place):
            "there is no database: \(place) does not exist (LANDFALL_DATA sets its folder), and --database, "
                + "LANDFALL_DATABASE_URL and the configuration file name none. landfall-server serve creates "
                + "the private one"
        case .needsMigration(let names):
            "the database lacks the migrations \(names.joined(separator: ", ")): landfall migrate applies them"
        }
    }
}
