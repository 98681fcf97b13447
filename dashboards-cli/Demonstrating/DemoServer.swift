internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// A `landfall-server` of the demo's own.
struct DemoServer: Sendable {
    let address: String
    private let program: SpawnedProgram
    private let log: URL

    /// Requests that are under way have 20 s to finish; then the server has 10 more.
    private static let patience = Duration.seconds(30)
    private static let readyWithin = Duration.seconds(60)

    /// The program beside the one that runs.
    static func executable() throws(DemoProblem) -> URL {
        let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let folder = here.resolvingSymlinksInPath().deletingLastPathComponent()
        let server = folder.appendingPathComponent("landfall-server")
        guard FileManager.default.isExecutableFile(atPath: server.path) else {
            throw .noServerProgram(path: server.path)
        }
        return server
    }

    static func start(_ executable: URL, dataFolder: URL) throws(DemoProblem) -> DemoServer {
        let port = try FreePort.find()
        let log = dataFolder.appendingPathComponent("landfall-server.log")
        let program = try SpawnedProgram.start(
            executable, ["serve", "--host", "127.0.0.1", "--port", String(port)],
            environment: environment(dataFolder: dataFolder), log: log)
        return DemoServer(address: "http://127.0.0.1:\(port)", program: program, log: log)
    }

    /// Ours, without what would lead the server to another database or another key.
    private static func environment(dataFolder: URL) -> [String: String] {
        let ours = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PG") && (!name.hasPrefix("LANDFALL_") || name == "LANDFALL_PG_BIN")
        }
        return ours.merging(["LANDFALL_DATA": dataFolder.path]) { _, new in new }
    }

    /// Waits until it says that it is ready.
    func waitUntilReady() async throws {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let result: Result<Void, any Error>
        do {
            result = .success(try await poll(http))
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        try result.get()
    }

    private func poll(_ http: HTTPClient) async throws {
        let deadline = ContinuousClock.now + Self.readyWithin
        while ContinuousClock.now < deadline {
            guard !program.hasEnded else { throw DemoProblem.notReady(reason: "ended", log: lastLines) }
            let answer = try? await http.execute(
                HTTPClientRequest(url: address + "/readyz"), timeout: .seconds(2))
            if answer?.status == .ok { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw DemoProblem.notReady(
            reason: "was not ready within \(Self.readyWithin.components.seconds) s", log: lastLines)
    }

    /// Blocks until it has ended.
    func stop() {
        if !program.end(patience: Self.patience) {
            note("landfall-server did not end when asked and was killed")
        }
    }

    private var lastLines: String {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(20).joined(separator: "\n")
    }
}
