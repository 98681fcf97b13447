internal import Access
internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Dispatch
internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient
internal import Reports
internal import Settings
internal import Synchronization
internal import TokenLifecycle

struct DatabaseOptions: ParsableArguments {
    @Option(
        help: .value(
            "A PostgreSQL URL or connection string. Default: LANDFALL_DATABASE_URL, then database.url in the configuration file, then the private database in LANDFALL_DATA.",
            "url"))
    var database: String?

    @Option(help: .value("The server's configuration file (JSON). Default: LANDFALL_CONFIG, if set.", "file"))
    var config: String?

    /// Reads the settings from the command line, the environment and the configuration file. Exits with 64 if
    /// any of them is wrong.
    ///
    /// - Throws: ``CommandProblem`` if the environment names a server instead of a database.
    func settings() throws -> FoundSettings {
        if database == nil, config == nil, let profile = ProfileOption.named() {
            throw CommandProblem(
                "this command works on the database, and \(ProfileOption.environmentVariable)=\(profile) names a "
                    + "server, which can be asked only for reports: name the database with --database or "
                    + "--config, or unset \(ProfileOption.environmentVariable)")
        }
        do {
            return try FoundSettings(flags: database.map { ["database.url": $0] } ?? [:], file: config)
        } catch {
            for problem in error.problems { note("Error: \(problem)") }
            throw ExitCode.validationFailure
        }
    }

    /// Runs the body with a connection to a migrated database. The private cluster is released at the end,
    /// also if the body throws.
    ///
    /// - Throws: ``CommandProblem``. Only the private database is migrated automatically; none is created.
    func withConnection<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try withDatabase { try body(try $0.connect()) }
    }

    /// Runs the body with the database of each cell, or of the app's cell alone. It exists, but may not be
    /// migrated. If there are several, a line on stderr names each, and an error in one does not stop the
    /// others.
    ///
    /// - Parameter output: the format of the results that the body writes; `nil` if it has no choice.
    /// - Throws: the highest exit code, if there are several.
    func withEachCell(
        of app: String? = nil, _ output: OutputOptions? = nil,
        _ body: (ChosenDatabase, CellResults) throws -> Void
    ) throws {
        let settings = try settings()
        let cells = try severalCells(unless: app)
        let results = CellResults(output, ofSeveral: !cells.isEmpty)
        guard !cells.isEmpty else {
            return try withHome(of: app) { database in
                results.cell = database.cell
                try body(database, results)
            }
        }
        var worst = ExitCode.success
        for cell in cells where !Task.isCancelled {
            note("Cell \(cell):")
            results.cell = cell
            do {
                try body(settings.database(of: cell), results)
            } catch {
                results.add(error)
                let code = ExitCode(noting: error)
                if code.rawValue > worst.rawValue { worst = code }
            }
        }
        try results.finish()
        guard worst.isSuccess else { throw worst }
    }

    /// Runs the body with the database of the app's cell, or with cell 0's if no app is named.
    func withHome<Value>(of app: String?, _ body: (ChosenDatabase) throws -> Value) throws -> Value {
        try withDatabase { try body(app == nil || $0.cell == nil ? $0 : find(app, in: $0).1) }
    }

    /// The cells of a command on all apps; none if there is only one, or if an app is named.
    func severalCells(unless app: String?) throws -> [CellNumber] {
        let cells = try settings().values.cells.map(\.cell)
        return cells.count > 1 && app == nil ? cells : []
    }

    /// Runs the body with the database, which exists but may not be migrated.
    ///
    /// - Parameter creates: creates an empty private database if there is none. Only for a restore.
    func withDatabase<Value>(creates: Bool = false, _ body: (ChosenDatabase) throws -> Value) throws -> Value
    {
        let settings = try settings()
        let opened = OpenedCluster()
        return try StopSignals.releasing(opened.release) {
            let (database, cluster) = try opened.opening { try open(settings, creates: creates) }
            return try closing(cluster, settings, after: Result { try body(database) })
        }
    }

    /// Runs an asynchronous body, such as one that needs a `PostgresPool`.
    func withDatabase<Value>(_ body: (ChosenDatabase) async throws -> Value) async throws -> Value {
        let settings = try settings()
        let (database, cluster) = try open(settings)
        do {
            return try closing(cluster, settings, after: .success(try await body(database)))
        } catch {
            return try closing(cluster, settings, after: .failure(error))
        }
    }

    /// The database of a cell, if cell 0's is already open.
    func home(of cell: CellNumber, _ front: ChosenDatabase) throws -> ChosenDatabase {
        try cell == .front ? front : settings().database(of: cell)
    }

    /// The app, which cell 0 knows, the database of its cell, and a connection to that, which is migrated.
    func find(_ slug: String?, in front: ChosenDatabase) throws -> (App, ChosenDatabase, PostgresConnection) {
        let directory = try front.connect()
        let app = try App.chosen(slug, on: directory)
        guard app.cell != .front else { return (app, front, directory) }
        let home = try home(of: app.cell, front)
        let connection = try home.connect(as: "which has the app \(app.slug)")
        var found = try App.chosen(app.slug, on: connection)
        found.cell = app.cell
        return (found, home, connection)
    }

    /// The condition of the private database; `nil` if another one is named.
    func privateCondition() throws -> EmbeddedPostgres.Condition? {
        let settings = try settings()
        guard settings.values.usesPrivateDatabase else { return nil }
        return EmbeddedPostgres.condition(of: settings.dataFolder)
    }

    /// Writes a note to stderr that something was not found, with the name of the database.
    func noteNothing(_ what: String) throws { note("\(what) in \(try settings().databaseName).") }

    private func open(_ settings: FoundSettings, creates: Bool = false) throws -> OpenedCluster.Opened {
        let values = settings.values
        guard values.usesPrivateDatabase else { return (try settings.database(of: .front), nil) }
        switch EmbeddedPostgres.condition(of: settings.dataFolder) {
        case .absent where !creates:
            let profile = (try? ProfileFile().profiles())?.keys.min()
            throw CommandProblem(
                "there is no database: \(settings.databaseName) does not exist (LANDFALL_DATA sets its folder), "
                    + "and --database, LANDFALL_DATABASE_URL and the configuration file name none. "
                    + "landfall-server serve creates the private one"
                    + (profile.map { ". For reports of a server, use --profile \($0)" } ?? ""))
        case .closed(let owner):
            throw CommandProblem(
                "\(settings.databaseName) belongs to user \(owner): run the command with sudo, or as that user "
                    + "(sudo -u \(owner) landfall …)")
        case .absent, .stopped, .running: break
        }
        let cluster = try EmbeddedPostgres.startOrFind(
            dataFolder: settings.dataFolder, environment: settings.environment)
        let database = ChosenDatabase(
            url: cluster.connectionURL, schema: .landfall, cell: nil, isPrivate: true,
            preparesStatements: values.preparesStatements)
        return (database, cluster)
    }

    /// Releases the cluster. If both the work and the release throw, the work's error is thrown.
    private func closing<Value>(
        _ cluster: EmbeddedPostgres?, _ settings: FoundSettings, after result: Result<Value, any Error>
    ) throws -> Value {
        let release = Result { try cluster?.release() }
        let value = try NotInDatabase.naming(settings.databaseName) { try result.get() }
        try release.get()
        return value
    }
}

/// The cell of a command that works on a single one.
struct CellOption: ParsableArguments {
    @Option(help: .value("The number of the cell, if there are several (landfall cell list).", "number"))
    var cell: Int?

    /// - Parameter work: the subject of the message that a cell must be named.
    func database(
        of options: DatabaseOptions, _ front: ChosenDatabase, for work: String = "A backup"
    ) throws -> ChosenDatabase {
        let cells = try options.settings().values.cells.map(\.cell)
        guard let cell = cells.first(where: { $0.number == self.cell ?? (cells.count == 1 ? 0 : nil) }) else {
            let known = cells.map(\.description).joined(separator: ", ")
            note(
                self.cell.map { "Error: There is no cell \($0): use one of \(known) (landfall cell list)." }
                    ?? "Error: \(work) is of one cell: name it with --cell (\(known)).")
            throw ExitCode.validationFailure
        }
        return try options.home(of: cell, front)
    }
}

struct ChosenDatabase: Sendable {
    /// Any connection string that libpq accepts.
    let url: String
    let schema: SchemaName
    /// `nil` if there is only one.
    var cell: CellNumber?
    /// Cell 0, if this is another.
    var front: CellAddress?
    let isPrivate: Bool
    /// False if it is behind PgBouncer before 1.21 in transaction mode.
    var preparesStatements: Bool
    /// Whether it is the coordinator of a Citus cluster, which distributes the schema.
    var isDistributed = false

    /// A connection to the migrated database, whose ledger is ready for writing. A role that may not prepare
    /// it can still read.
    func connect() throws -> PostgresConnection {
        let connection = try unmigratedConnection()
        try check(connection)
        if isPrivate {
            try Migrator().migrate(connection)
        } else {
            let pending = try Migrator().pending(connection)
            guard pending.isEmpty else {
                throw CommandProblem(
                    "the database lacks the migrations \(pending.joined(separator: ", ")): landfall migrate "
                        + "applies them")
            }
            try Migrator().checkIsNotNewer(connection)
        }
        try report(connection)
        do {
            try WaitingLine.whileWaiting("preparing the ledger of tokens") {
                try ChangeFeed.adopt(on: connection)
            }
        } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
            note(
                "This role may not prepare the ledger of tokens, which is necessary after a restore: "
                    + "before anything else writes, start a server, or run landfall verify as a role that may."
            )
        }
        return connection
    }

    /// Connects. If one of several cells cannot be reached, says which one, and its role.
    func connect(as role: String) throws -> PostgresConnection {
        do {
            return try connect()
        } catch PostgresError.unavailable(let reason) where cell != nil {
            throw CommandProblem(
                "the database of cell \(cell ?? .front), \(role), cannot be reached: \(reason)")
        }
    }

    /// Compares the apps of another cell with what cell 0 knows of them, and lets it know the cell's ids. If
    /// cell 0 is away, the next program that opens the cell does so.
    func report(_ connection: PostgresConnection) throws {
        guard let cell, front != nil, let directory = try? unmigratedConnection(to: front) else { return }
        for app in try CellApp.compare(CellApp.all(in: cell, on: connection), in: directory) {
            try app.retireCopy(on: connection)
            note(sentence(app.description))
        }
        try IDRange.current(on: connection).record(as: cell, in: directory)
    }

    /// Gives the cell, if there are several, further ids before it needs them (``IDRange``).
    func renewRange(on connection: PostgresConnection, isRestored: Bool = false) throws {
        guard let cell else { return }
        try IDRange.renew(
            cell, on: connection.coordinating(), from: unmigratedConnection(to: front).coordinating(),
            isRestored: isRestored)
    }

    /// Requires that the schema is the cell's, so that a mistyped URL cannot make another.
    func check(_ connection: PostgresConnection) throws {
        guard let cell else { return }
        do {
            try cell.check(connection)
        } catch let error as PostgresError where error.lacksSchema {
            guard cell == .front else {
                throw CommandProblem("cell \(cell) was never added: landfall cell add \(cell) …")
            }
        }
    }

    /// - Parameter other: another cell; `nil` for this one.
    func unmigratedConnection(to other: CellAddress? = nil) throws(PostgresError) -> PostgresConnection {
        let (place, schema) = (other?.url ?? url, other?.schema ?? self.schema)
        guard !isDistributed else {
            return try CitusNode(coordinator: place, schema: schema)
                .connect(preparesStatements: preparesStatements)
        }
        return try PostgresConnection(url: place, schema: schema, preparesStatements: preparesStatements)
    }

    func pool(size: Int) -> PostgresPool.Configuration {
        var pool = PostgresPool.Configuration(
            url: url, schema: schema, size: size, preparesStatements: preparesStatements)
        pool.isDistributed = isDistributed
        return pool
    }
}

/// The private cluster that a command uses, so that it is released if a signal ends the command.
final class OpenedCluster: Sendable {
    /// There is no cluster if another database is named.
    typealias Opened = (database: ChosenDatabase, cluster: EmbeddedPostgres?)

    private let cluster = Mutex<EmbeddedPostgres?>(nil)
    /// Signaled once it is known whether there is a cluster.
    private let isKnown = DispatchSemaphore(value: 0)

    func opening(_ open: () throws -> Opened) rethrows -> Opened {
        defer { isKnown.signal() }
        let opened = try open()
        cluster.withLock { $0 = opened.cluster }
        return opened
    }

    /// Waits until the cluster has started, because nothing else would stop it.
    func release() {
        isKnown.wait()
        // The program ends anyway. If the cluster cannot be stopped now, the next command finds it.
        try? cluster.withLock { $0 }?.release()
    }
}

struct AppOptions: ParsableArguments {
    @OptionGroup(title: "Database") var database: DatabaseOptions

    @Option(help: .value("The app. Optional if there is only one.", "slug"), completion: .apps)
    var app: String?

    /// Runs the body with the app and a connection to the migrated database of its cell.
    func withApp<Value>(_ body: (App, PostgresConnection) throws -> Value) throws -> Value {
        try database.withDatabase { front in
            let (app, _, connection) = try database.find(self.app, in: front)
            return try body(app, connection)
        }
    }
}

extension App {
    /// The app that was named, or the only one. An unknown one ends the program with code 64.
    static func chosen(_ slug: String?, on connection: PostgresConnection) throws -> App {
        try asUsage { try named(slug, among: CellDirectory(connection).apps()) }
    }
}
