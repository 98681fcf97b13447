internal import ChildPrograms
internal import Foundation

/// The demo's own `landfall-server`.
struct DemoServer: Sendable {
    private let program: ChildProgram
    private let log: URL

    /// The longest wait for the end: current requests have 20 s to finish; then the server has 10 more.
    private static let patience = Duration.seconds(30)
    private static let readyWithin = Duration.seconds(60)

    /// The server program in the same folder as this one.
    static func executable() throws(DemoProblem) -> URL {
        let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let folder = here.resolvingSymlinksInPath().deletingLastPathComponent()
        let server = folder.appendingPathComponent("landfall-server")
        guard FileManager.default.isExecutableFile(atPath: server.path) else {
            throw .noServerProgram(path: server.path)
        }
        return server
    }

    static func start(_ executable: URL, dataFolder: URL) throws -> DemoServer {
        let log = dataFolder.appendingPathComponent("landfall-server.log")
        let program = try ChildProgram.start(
            executable, ["serve", "--host", "127.0.0.1", "--port", "0"],
            environment: environment(dataFolder: dataFolder), log: log)
        return DemoServer(program: program, log: log)
    }

    /// This program's environment, without variables that would lead the server to another database or key.
    private static func environment(dataFolder: URL) -> [String: String] {
        let ours = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PG") && (!name.hasPrefix("LANDFALL_") || name == "LANDFALL_PG_BIN")
        }
        // A temporary database need not survive a power failure.
        let forDemo = ["LANDFALL_DATA": dataFolder.path, "LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]
        return ours.merging(forDemo) { _, new in new }
    }

    /// Waits until the server prints its address, which it does once it is ready.
    ///
    /// - Returns: the address.
    func waitUntilReady() async throws -> String {
        let deadline = ContinuousClock.now + Self.readyWithin
        while ContinuousClock.now < deadline {
            if let address = Self.address(in: text) { return address }
            guard !program.hasEnded else { throw DemoProblem.notReady(reason: "ended", log: lastLines) }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw DemoProblem.notReady(
            reason: "was not ready within \(Self.readyWithin.components.seconds) s", log: lastLines)
    }

    /// The address in the first complete line such as `Landfall listens on http://127.0.0.1:8080`.
    static func address(in log: String) -> String? {
        let start = "Landfall listens on "
        let lines = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    /// Stops the server and blocks until it has ended.
    func stop() {
        if !program.end(patience: Self.patience) {
            note("landfall-server did not stop in time and was killed")
        }
    }

    private var text: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    private var lastLines: String {
        text.split(separator: "\n").suffix(20).joined(separator: "\n")
    }
}
