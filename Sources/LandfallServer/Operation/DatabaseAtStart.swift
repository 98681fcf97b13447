internal import Logging
internal import NIOPosix
internal import PostgresClient

/// Whether this PostgreSQL's commits survive a crash of its machine.
struct DatabaseSafety: Equatable {
    let syncsFiles: Bool
    let writesFullPages: Bool
    /// The value in this session, which sets it itself; only logged.
    var synchronousCommit = "on"
}

extension DatabaseSafety {
    init(of connection: PostgresConnection) throws {
        let row = try connection.query(.Administration.durability).single()
        self.init(
            syncsFiles: try row.get("fsync", as: String.self) == "on",
            writesFullPages: try row.get("full_page_writes", as: String.self) == "on",
            synchronousCommit: try row.get("synchronous_commit"))
    }

    /// The names of the settings that are off but must be on.
    var risks: [String] {
        (syncsFiles ? [] : ["fsync"]) + (writesFullPages ? [] : ["full_page_writes"])
    }

    /// - Throws: ``UnsafeDatabase`` if commits may be lost, unless that is allowed; then it logs an error.
    func check(allowsUnsafe: Bool, logger: Logger) throws(UnsafeDatabase) {
        let metadata: Logger.Metadata = [
            "fsync": "\(syncsFiles)", "full_page_writes": "\(writesFullPages)",
            "synchronous_commit": "\(synchronousCommit)",
        ]
        guard !risks.isEmpty else { return logger.debug("commits are safe", metadata: metadata) }
        guard allowsUnsafe else { throw UnsafeDatabase(risks: risks) }
        logger.error(
            "a crash of the database's machine may lose what was reported as recorded", metadata: metadata)
    }
}

public struct UnsafeDatabase: Error, Equatable, Sendable, CustomStringConvertible {
    public let risks: [String]

    public var description: String {
        "this PostgreSQL may lose what it committed, with \(risks.joined(separator: " and ")) off. Turn on "
            + "what is off in postgresql.conf, or set database.allow_unsafe "
            + "(LANDFALL_DATABASE_ALLOW_UNSAFE=true) if a loss would not matter"
    }
}

/// A database that may be unavailable when the server starts: on the same machine it may start at the same
/// time, elsewhere it may restart.
struct AwaitedDatabase {
    let url: String
    let logger: Logger

    private static let pause = Duration.seconds(1)
    private static let lineInterval = Duration.seconds(30)

    /// Runs the body, and repeats it while the database is unavailable. A database that rejects the role, the
    /// password or its name counts as available, because waiting would not help.
    ///
    /// - Parameter waits: whether the body is repeated at all.
    func whileAway<Value>(_ waits: Bool, _ body: () async throws -> Value) async throws -> Value {
        var lastLine: ContinuousClock.Instant?
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where waits && error.isTransient {
                guard try await Self.isAway(url) else { throw error }
                if lastLine.map({ .now - $0 >= Self.lineInterval }) ?? true {
                    logger.warning("waiting for the database", metadata: ["error": "\(error)"])
                    lastLine = .now
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    static func isAway(_ url: String) async throws -> Bool {
        try await NIOThreadPool.singleton.runIfActive { PostgresConnection.isAway(url) }
    }
}
