internal import ChildPrograms
internal import Foundation

/// Drives a server with `wrk` (https://github.com/wg/wrk), which is light enough to share two cores with it.
struct Wrk: Sendable {
    private let executable: URL
    private let script: URL
    private let folder: URL

    /// When a run ends.
    enum End: String {
        /// When its time is up; the requests are sent over and over, each time with new notification ids.
        case atTimeLimit = "repeat"
        /// When the last request is sent. Those still open are aborted.
        case whenSent = "send"
        /// When the last response arrives. Every response costs the load generator a little time.
        case whenResponded = "drain"
    }

    struct Load {
        let requests: RequestFile
        let connections: Int
        let seconds: Int
        let end: End
        /// The mean time that a connection pauses before each request.
        var pauseMilliseconds = 0
    }

    /// The figures that wrk measured, with latencies in microseconds. wrk corrects them for coordinated
    /// omission: it adds the waits of requests that it could not even send.
    struct Outcome: Decodable {
        let requests: Int
        let microseconds: Int
        let p50: Int
        let p99: Int
        /// Responses with a status above 399.
        let rejected: Int
        /// Connections that failed, and responses that took more than 20 s.
        let broken: Int

        var seconds: Double { Double(microseconds) / 1_000_000 }
    }

    /// - Parameter folder: receives the script and wrk's output.
    init(folder: URL) throws {
        executable = try Self.executable()
        self.folder = folder
        script = folder.appendingPathComponent("drive.lua")
        try Data(PackageResources.drive_lua).write(to: script)
    }

    static func executable() throws(BenchProblem) -> URL {
        guard let found = ChildProgram.find("wrk") else { throw .noWrk }
        return found
    }

    func run(_ load: Load, against address: String) async throws -> Outcome {
        // Otherwise, a run without a result would get the one before.
        let log = folder.appendingPathComponent("wrk.log")
        try? FileManager.default.removeItem(at: log)
        let program = try ChildProgram.start(
            executable,
            [
                "--threads", "1", "--connections", String(load.connections),
                "--duration", "\(load.seconds)s", "--timeout", "20s", "--script", script.path, address,
                load.requests.url.path, load.end.rawValue, String(load.pauseMilliseconds),
            ], log: log)
        try await program.waitUntilEnded()
        guard let line = program.output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchProblem.wrkEnded(output: program.lastLines)
        }
        return try JSONDecoder().decode(Outcome.self, from: Data(line.utf8))
    }
}
