internal import ChildPrograms
internal import Foundation

/// Drives a server with `wrk` (https://github.com/wg/wrk), which is light enough to share two cores with it.
struct Wrk: Sendable {
    private let executable: URL
    private let script: URL
    private let folder: URL

    /// When a run ends.
    enum End: String {
        /// When its time is up; the requests are sent over and over.
        case atTimeLimit = "repeat"
        /// When the last request is sent. Those under way are broken off.
        case whenSent = "send"
        /// When the last request is answered. Costs the load generator a little for every answer.
        case whenAnswered = "drain"
    }

    struct Load {
        let requests: RequestFile
        let connections: Int
        let seconds: Int
        let end: End
    }

    /// What wrk measured. Latencies are microseconds; of requests that had to wait for others, wrk counts the wait
    /// of those it could not even send ("coordinated omission").
    struct Outcome: Decodable {
        let requests: Int
        let microseconds: Int
        let p50: Int
        let p99: Int
        /// Answers with a status above 399.
        let refused: Int
        /// Connections that failed, and answers that took more than 20 s.
        let broken: Int

        var seconds: Double { Double(microseconds) / 1_000_000 }
    }

    /// - Parameter folder: takes the script and what wrk writes.
    init(folder: URL) throws {
        guard let found = ChildProgram.find("wrk") else { throw BenchProblem.noWrk }
        executable = found
        self.folder = folder
        script = folder.appendingPathComponent("drive.lua")
        try Data(PackageResources.drive_lua).write(to: script)
    }

    /// Whether it can be found, to be asked before the long preparation.
    static var isInstalled: Bool { ChildProgram.find("wrk") != nil }

    func run(_ load: Load, against address: String) async throws -> Outcome {
        let program = try ChildProgram.start(
            executable,
            [
                "--threads", "1", "--connections", String(load.connections),
                "--duration", "\(load.seconds)s", "--timeout", "20s", "--script", script.path, address,
                load.requests.url.path, load.end.rawValue,
            ],
            log: folder.appendingPathComponent("wrk.log"))
        try await program.waitUntilEnded()
        guard let line = program.output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchProblem.wrkEnded(output: program.lastLines)
        }
        return try JSONDecoder().decode(Outcome.self, from: Data(line.utf8))
    }
}
