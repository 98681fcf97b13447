internal import ChildPrograms
internal import Foundation

/// The benchmark's own `landfall-server`, on a port that the kernel chose.
struct BenchServer: Sendable {
    /// Such as `http://127.0.0.1:41234`.
    let address: String
    private let program: ChildProgram

    /// The longest wait for the end: current requests have 20 s to finish; then the server has 10 more.
    private static let patience = Duration.seconds(30)
    private static let readyWithin = Duration.seconds(60)

    /// The program in the same folder as this one.
    static func executable(_ name: String = "landfall-server") throws(BenchProblem) -> URL {
        let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let program = here.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw .noProgram(path: program.path)
        }
        return program
    }

    /// Starts the server and waits until it prints its address.
    static func start(_ executable: URL, dataFolder: URL) async throws -> BenchServer {
        let program = try ChildProgram.start(
            executable, ["serve", "--host", "127.0.0.1", "--port", "0"],
            environment: environment(dataFolder: dataFolder),
            log: dataFolder.appendingPathComponent("landfall-server.log"))
        do {
            return BenchServer(address: try await address(of: program), program: program)
        } catch {
            program.end(patience: patience)
            throw error
        }
    }

    /// This program's environment, without variables that would lead the server to another database or key.
    static func environment(dataFolder: URL) -> [String: String] {
        let ours = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PG") && (!name.hasPrefix("LANDFALL_") || name == "LANDFALL_PG_BIN")
        }
        return ours.merging(["LANDFALL_DATA": dataFolder.path]) { _, new in new }
    }

    private static func address(of program: ChildProgram) async throws -> String {
        let deadline = ContinuousClock.now + readyWithin
        while ContinuousClock.now < deadline {
            if let match = program.output.firstMatch(of: /listens on (http:\S+)\n/) { return String(match.1) }
            guard !program.hasEnded else {
                throw BenchProblem.serverNotReady(reason: "ended", log: program.lastLines)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw BenchProblem.serverNotReady(
            reason: "was not ready within \(readyWithin.components.seconds) s", log: program.lastLines)
    }

    /// The port in ``address``.
    var port: UInt16? { address.split(separator: ":").last.flatMap { UInt16($0) } }

    /// Restarts ``peakMemory`` from the memory in use now. If the system does not support that, the peak counts from the start.
    func resetPeakMemory() {
        // proc(5): 5 resets VmHWM to the current size.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(program.pid)/clear_refs"))
    }

    /// The server's peak memory since the last reset, in bytes; `nil` if the system does not report it.
    var peakMemory: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8),
            let match = status.firstMatch(of: /VmHWM:\s*(\d+) kB/), let kilobytes = Int(match.1)
        else { return nil }
        return kilobytes * 1_024
    }

    /// Stops the server and blocks until it has ended.
    func stop() { program.end(patience: Self.patience) }
}
