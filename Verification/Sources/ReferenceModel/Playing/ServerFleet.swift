internal import ChildPrograms
public import Foundation
internal import Synchronization

/// Several `landfall-server` programs on one database.
public final class ServerFleet: Sendable {
    private let executable: URL
    private let database: [String: String]
    private let dataFolder: URL
    private let servers: Mutex<[ServerProgram]>

    /// - Parameters:
    ///   - executable: the program `landfall-server`.
    ///   - database: the environment variables that name it.
    ///   - dataFolder: holds the token key and the servers' logs.
    public init(_ executable: URL, database: [String: String], dataFolder: URL) {
        self.executable = executable
        self.database = database
        self.dataFolder = dataFolder
        servers = Mutex([])
    }

    /// The addresses of the running servers.
    public var addresses: [String] { servers.withLock { $0.map(\.address) } }

    /// Starts another server and waits until it is ready.
    public func start() async throws {
        // The databases of tests and soaks have fsync off.
        let server = try await ServerProgram.start(
            executable, dataFolder: dataFolder,
            variables: database.merging([
                "LANDFALL_DATABASE_ALLOW_UNSAFE": "true",
                // Histories are full of noise, all of it from one address.
                "LANDFALL_LIMITS_DEVICE_EVENTS": "off",
            ]) { $1 }, log: "server-\(UUID().uuidString).log")
        servers.withLock { $0.append(server) }
    }

    /// Kills the server that has run longest, without warning or cleanup, like a power failure.
    public func killOne() {
        servers.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.killAtOnce()
    }

    /// Stops all servers and blocks until they have ended.
    ///
    /// - Returns: false if one of them did not end by itself.
    @discardableResult
    public func stop() -> Bool {
        let running = servers.withLock { servers in
            defer { servers = [] }
            return servers
        }
        return running.map { $0.stop() }.allSatisfy(\.self)
    }
}
