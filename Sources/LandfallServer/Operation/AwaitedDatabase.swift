internal import Logging
internal import NIOPosix
internal import PostgresClient

/// A database that may be unavailable when the server starts: on the same machine it may start at the same time, elsewhere it may
/// restart.
struct AwaitedDatabase {
    let url: String
    let logger: Logger

    private static let pause = Duration.seconds(1)
    /// The time between log lines.
    private static let lineInterval = Duration.seconds(30)

    /// Runs the body, and repeats it while the database is unavailable. A database that rejects the role, the password or its
    /// name counts as available, because waiting would not help.
    ///
    /// - Parameter waits: whether the body is repeated at all.
    func whileAway<Value>(_ waits: Bool, _ body: () async throws -> Value) async throws -> Value {
        var lastLine: ContinuousClock.Instant?
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where waits && error.isTransient {
                guard try await isAway() else { throw error }
                if lastLine.map({ .now - $0 >= Self.lineInterval }) ?? true {
                    logger.warning("waiting for the database", metadata: ["error": "\(error)"])
                    lastLine = .now
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func isAway() async throws -> Bool {
        let url = url
        return try await NIOThreadPool.singleton.runIfActive { PostgresConnection.isAway(url) }
    }
}
