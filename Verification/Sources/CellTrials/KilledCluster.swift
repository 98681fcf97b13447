internal import ChildPrograms
internal import Dispatch
internal import EmbeddedPostgres
internal import Foundation

/// A PostgreSQL server that is killed and started again. Blocking work runs on threads of its own.
actor KilledCluster {
    private let folder: ThrowawayFolder
    private var uses: [EmbeddedPostgres]
    /// The same after each start.
    nonisolated let url: String

    init() async throws {
        let folder = try ThrowawayFolder.create(for: "cell")
        do {
            let first = try await onThread { try KilledCluster.start(folder) }
            self.folder = folder
            uses = [first]
            url = first.connectionURL
        } catch {
            try? folder.remove()
            throw error
        }
    }

    /// A kill of the server loses nothing without fsync; only a crash of the machine would.
    private static func start(_ folder: ThrowawayFolder) throws -> EmbeddedPostgres {
        try folder.startDatabase(isDurable: false, settings: ["shared_buffers": "64MB"])
    }

    /// Kills the postmaster and waits until it is gone. Its children find out by themselves.
    func killServer() async throws {
        let file = folder.url.appendingPathComponent("cluster/postmaster.pid")
        try await onThread {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            guard let postmaster = lines.first.flatMap({ pid_t($0) }) else { throw NoPostmaster() }
            kill(postmaster, SIGKILL)
            while Self.isRunning(postmaster) { usleep(5_000) }
        }
    }

    /// Starts the server again and waits until it accepts connections, after recovery.
    func start() async throws {
        let folder = folder
        uses.append(try await onThread { try KilledCluster.start(folder) })
    }

    func remove() async throws {
        let (folder, uses) = (folder, uses)
        try await onThread {
            for use in uses { try use.release() }
            try folder.remove()
        }
    }

    /// A dead process stays visible until its parent reaps it.
    private static func isRunning(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") Z ") != true
    }

    struct NoPostmaster: Error {}
}

/// Runs blocking work off Swift's shared threads.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
