import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestDatabase

/// The program `landfall-server` as a process of its own, on the running test's database.
final class StartedServer: Sendable {
    let port: Int
    private let process: Process
    var processID: Int32 { process.processIdentifier }

    private init(process: Process, port: Int) {
        self.process = process
        self.port = port
    }

    /// Starts the program and waits until it is ready.
    ///
    /// - Parameters:
    ///   - database: `nil` for a private one in the data folder.
    ///   - port: 0 picks a free one, as in the program itself.
    ///   - environment: further variables, next to those of every test's program.
    ///   - log: gets what it writes to standard error.
    static func start(
        database: String?, dataFolder: URL, port: Int = 0, environment: [String: String] = [:],
        log: FileHandle = .nullDevice
    ) async throws -> StartedServer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("landfall-server")
        process.arguments = ["serve", "--port", String(port)]
        process.environment = ProcessInfo.processInfo.environment.merging(
            // The tests' cluster runs without fsync.
            ["LANDFALL_DATA": dataFolder.path, "LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]) { _, new in new }
            .merging(database.map(TestDatabase.variables(naming:)) ?? [:]) { _, new in new }
            .merging(environment) { _, new in new }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = log
        try process.run()
        let line = try firstLine(of: output.fileHandleForReading)
        guard let announced = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw NotStarted(line: line)
        }
        return StartedServer(process: process, port: announced)
    }

    struct NotStarted: Error {
        let line: String
    }

    /// Reads the line `Landfall listens on http://127.0.0.1:8080`.
    private static func firstLine(of file: FileHandle) throws -> String {
        var line = Data()
        while let byte = try file.read(upToCount: 1), let first = byte.first, first != UInt8(ascii: "\n") {
            line.append(first)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Kills the program as a power cut would: no warning, no cleanup.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the program to stop, and returns its exit code.
    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A client that repeats requests without a response unchanged.
struct PersistentClient: Sendable {
    let key: String
    let port: @Sendable () -> Int

    /// Posts a body until it gets a 200.
    func post(_ body: [UInt8]) async throws {
        for _ in 0..<2_000 {
            if await attempt(body, timeout: .seconds(5)) == 200 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw NeverResponding()
    }

    /// Returns the status of the response; `nil` if there was none.
    func attempt(_ body: [UInt8], timeout: TimeAmount = .seconds(60)) async -> UInt? {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port())/v1/events")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        request.body = .bytes(body)
        guard let response = try? await HTTPClient.shared.execute(request, timeout: timeout) else {
            return nil
        }
        _ = try? await response.body.collect(upTo: 1 << 20)
        return response.status.code
    }

    struct NeverResponding: Error {}
}
