internal import ChildPrograms
public import Foundation
internal import Synchronization

/// Several `landfall-server` programs on one database.
public final class ServerFleet: Sendable {
    private let executable: URL
    private let database: String
    private let dataFolder: URL
    private let servers: Mutex<[Server]>

    private struct Server {
        let program: ChildProgram
        let address: String
    }

    private static let readyWithin = Duration.seconds(120)
    private static let patience = Duration.seconds(40)

    /// - Parameters:
    ///   - executable: the program `landfall-server`.
    ///   - database: any connection string that libpq accepts.
    ///   - dataFolder: holds the token key and the servers' logs.
    public init(_ executable: URL, database: String, dataFolder: URL) {
        self.executable = executable
        self.database = database
        self.dataFolder = dataFolder
        servers = Mutex([])
    }

    /// The addresses of the running servers.
    public var addresses: [String] { servers.withLock { $0.map(\.address) } }

    /// Starts another server and waits until it prints its address.
    public func start() async throws {
        let log = dataFolder.appendingPathComponent("server-\(UUID().uuidString).log")
        let program = try ChildProgram.start(
            executable, ["serve", "--host", "127.0.0.1", "--port", "0", "--database", database],
            environment: environment, log: log)
        do {
            let server = Server(program: program, address: try await address(of: program))
            servers.withLock { $0.append(server) }
        } catch {
            program.end(patience: Self.patience)
            throw error
        }
    }

    /// Kills the server that has run longest, without warning or cleanup, like a power failure.
    public func killOne() {
        guard let server = servers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        kill(server.program.pid, SIGKILL)
        while !server.program.hasEnded { usleep(1_000) }
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
        return running.map { $0.program.end(patience: Self.patience) }.allSatisfy(\.self)
    }

    /// This program's environment, without variables that would lead the server to another database or key.
    private var environment: [String: String] {
        let ours = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PG") && (!name.hasPrefix("LANDFALL_") || name == "LANDFALL_PG_BIN")
        }
        // The databases of tests and soaks have fsync off.
        let own = ["LANDFALL_DATA": dataFolder.path, "LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]
        return ours.merging(own) { _, new in new }
    }

    private func address(of program: ChildProgram) async throws -> String {
        let deadline = ContinuousClock.now + Self.readyWithin
        while ContinuousClock.now < deadline, !program.hasEnded {
            if let match = program.output.firstMatch(of: /listens on (http:\S+)\n/) { return String(match.1) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotReady(log: program.lastLines)
    }

    struct NotReady: Error {
        let log: String
    }
}
