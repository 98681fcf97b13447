public import Foundation

/// A `landfall-server` that this program runs, on a port of 127.0.0.1 that the kernel chose.
public struct ServerProgram: Sendable {
    /// Such as `http://127.0.0.1:41234`.
    public let address: String
    private let program: ChildProgram

    /// The longest wait for the end: current requests have 20 s to finish; the server has twice that in all.
    private static let patience = Duration.seconds(40)
    private static let readyWithin = Duration.seconds(120)

    /// A program in the same folder as this one.
    public static func executable(_ name: String = "landfall-server") throws(ServerProgramError) -> URL {
        let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        let program = here.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw .missing(path: program.path)
        }
        return program
    }

    /// Starts the server and waits until it prints its address, which it does once it is ready.
    ///
    /// - Parameters:
    ///   - options: further options of `landfall-server serve`.
    ///   - variables: further environment variables.
    ///   - log: the name of the file in the data folder to which the output is appended.
    public static func start(
        _ executable: URL, _ options: [String] = [], dataFolder: URL, variables: [String: String] = [:],
        log: String = "landfall-server.log"
    ) async throws -> ServerProgram {
        let program = try ChildProgram.start(
            executable, ["serve", "--host", "127.0.0.1", "--port", "0"] + options,
            environment: environment(dataFolder: dataFolder).merging(variables) { $1 },
            log: dataFolder.appendingPathComponent(log))
        do {
            return ServerProgram(address: try await address(of: program), program: program)
        } catch {
            program.end(patience: patience)
            throw error
        }
    }

    /// This program's environment, without variables that would lead a program to another database or key.
    public static func environment(dataFolder: URL) -> [String: String] {
        let ours = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PG") && (!name.hasPrefix("LANDFALL_") || name == "LANDFALL_PG_BIN")
        }
        return ours.merging(["LANDFALL_DATA": dataFolder.path]) { $1 }
    }

    private static func address(of program: ChildProgram) async throws -> String {
        let deadline = ContinuousClock.now + readyWithin
        while ContinuousClock.now < deadline {
            if let address = address(in: program.output) { return address }
            guard !program.hasEnded else {
                throw ServerProgramError.notReady(reason: "ended", log: program.lastLines)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ServerProgramError.notReady(
            reason: "was not ready within \(readyWithin.components.seconds) s", log: program.lastLines)
    }

    /// The address in the first complete line such as `Landfall listens on http://127.0.0.1:8080`.
    static func address(in log: String) -> String? {
        let start = "Landfall listens on "
        let lines = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    public var pid: pid_t { program.pid }

    /// Stops the server and blocks until it has ended.
    ///
    /// - Returns: `false` if it had to be killed.
    @discardableResult
    public func stop() -> Bool { program.end(patience: Self.patience) }

    /// Kills the server without warning or cleanup, like a power failure, and blocks until it has ended.
    public func killAtOnce() { program.killAtOnce() }
}

public enum ServerProgramError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(path: String)
    /// The server ended, or did not print its address in time.
    case notReady(reason: String, log: String)

    public var description: String {
        switch self {
        case .missing(let path): "\(path) does not exist: swift build creates it next to this program"
        case .notReady(let reason, let log):
            "landfall-server \(reason). The end of its output:\n\(log)"
        }
    }
}

/// Runs the body and then the end, also if the body throws. If both throw, the body's error is thrown.
public func ending<Value>(
    _ end: () async throws -> Void, _ body: () async throws -> Value
) async throws -> Value {
    let value: Value
    do {
        value = try await body()
    } catch {
        try? await end()
        throw error
    }
    try await end()
    return value
}
