internal import ChildPrograms
internal import Dispatch
internal import EmbeddedPostgres
internal import Foundation

/// A database server that may be killed, of a test or a trial. Blocking work runs on threads of its own.
public actor OwnCluster {
    /// The way a server ends.
    public enum Ending: Sendable, CaseIterable {
        /// Rolls back what is under way and tells every client.
        case fast
        /// Ends without an orderly shutdown, and recovers at the next start.
        case immediate
        /// Only the postmaster is killed; its children find out by themselves.
        case killed

        var signal: Int32 {
            switch self {
            case .fast: SIGINT
            case .immediate: SIGQUIT
            case .killed: SIGKILL
            }
        }
    }

    private let folder: ThrowawayFolder
    private let settings: [String: String]
    private var uses: [EmbeddedPostgres]
    /// The folder of the server's socket; the same after each start.
    public nonisolated let socketFolder: String

    /// Runs the body with a new server, and removes the server afterward.
    public static func run(
        settings: [String: String] = [:], _ body: @Sendable (OwnCluster) async throws -> Void
    ) async throws {
        let cluster = try await OwnCluster(settings: settings)
        do {
            try await body(cluster)
        } catch {
            try await cluster.remove()
            throw error
        }
        try await cluster.remove()
    }

    /// A new server, which the caller removes.
    public init(settings: [String: String] = [:]) async throws {
        // Without fsync, a kill of the server still loses nothing; only a crash of the machine would.
        let settings = settings.merging(["fsync": "off", "shared_buffers": "32MB"]) { given, _ in given }
        let folder = try ThrowawayFolder.create(for: "fault")
        do {
            let first = try await blocking {
                try EmbeddedPostgres.startOrFind(dataFolder: folder.url, settings: settings)
            }
            self.folder = folder
            self.settings = settings
            uses = [first]
            socketFolder = first.socketFolder.path
        } catch {
            try? folder.remove()
            throw error
        }
    }

    public nonisolated var url: String { "host=\(socketFolder) port=5432 user=landfall dbname=landfall" }

    /// Ends the server and waits until it is gone.
    public func end(_ ending: Ending) async throws {
        let file = folder.url.appendingPathComponent("cluster/postmaster.pid")
        try await blocking {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            guard let postmaster = lines.first.flatMap({ pid_t($0) }) else { throw NoPostmaster() }
            kill(postmaster, ending.signal)
            while Self.isRunning(postmaster) { usleep(5_000) }
        }
    }

    /// Makes the server a standby from its next start until it is promoted.
    public func beStandbyFromNowOn() throws {
        let file = folder.url.appendingPathComponent("cluster/standby.signal")
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else { throw NoPostmaster() }
    }

    /// Starts the server again and waits until it accepts connections, after recovery.
    public func start() async throws {
        let (folder, settings) = (folder, settings)
        uses.append(
            try await blocking {
                try EmbeddedPostgres.startOrFind(dataFolder: folder.url, settings: settings)
            })
    }

    public func remove() async throws {
        let (folder, uses) = (folder, uses)
        try await blocking {
            for use in uses { try use.release() }
            try folder.remove()
        }
    }

    /// A dead process stays visible until its parent reaps it, which no one may do here.
    private static func isRunning(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") Z ") != true
    }

    struct NoPostmaster: Error {}
}

/// Runs blocking work off Swift's shared threads.
public func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
