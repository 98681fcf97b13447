internal import EmbeddedPostgres
public import Foundation

/// A program that runs alongside this one and writes its output to a file.
public struct ChildProgram: Sendable {
    public let pid: pid_t
    private let log: URL

    /// - Parameter log: the file to which standard output and standard error are appended.
    public static func start(
        _ executable: URL, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment, log: URL
    ) throws(ChildProgramError) -> ChildProgram {
        let output = open(log.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if output >= 0 { close(output) } }
        let child =
            output < 0
            ? (pid: 0, error: errno)
            : Spawner.spawn([executable.path] + arguments, environment: environment, output: output)
        guard child.error == 0 else {
            throw .notStarted(program: executable.path, reason: String(cString: strerror(child.error)))
        }
        return ChildProgram(pid: child.pid, log: log)
    }

    /// The executable of this name in the search path.
    public static func find(_ name: String) -> URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Whether the program has ended. Reading this also reaps it.
    public var hasEnded: Bool { waitpid(pid, nil, WNOHANG) != 0 }
    public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
    public var lastLines: String { output.split(separator: "\n").suffix(20).joined(separator: "\n") }

    /// Waits until the program ends by itself; ends it if the task is canceled.
    public func waitUntilEnded() async throws {
        do {
            while !hasEnded { try await Task.sleep(for: .milliseconds(20)) }
        } catch {
            end(patience: .seconds(2))
            throw error
        }
    }

    /// Blocks until the program ends by itself, without polling.
    ///
    /// - Returns: the exit code; `nil` if a signal ended the program.
    public func waitForExitCode() -> Int32? {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    /// Sends SIGTERM and waits; sends SIGKILL if the program has not ended within `patience`. Blocks.
    ///
    /// - Returns: `false` if the program had to be killed.
    @discardableResult
    public func end(patience: Duration) -> Bool {
        guard !hasEnded else { return true }
        kill(pid, SIGTERM)
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if hasEnded { return true }
            usleep(20_000)
        }
        killAtOnce()
        return false
    }

    /// Kills the program and blocks until it has ended.
    public func killAtOnce() {
        kill(pid, SIGKILL)
        while waitpid(pid, nil, 0) == -1 && errno == EINTR {}
    }
}

public enum ChildProgramError: Error, Equatable, Sendable, CustomStringConvertible {
    case notStarted(program: String, reason: String)
    case noFolder(reason: String)

    public var description: String {
        switch self {
        case .notStarted(let program, let reason): "\(program) could not be started: \(reason)"
        case .noFolder(let reason):
            "no temporary folder could be created: \(reason). Set TMPDIR to another folder"
        }
    }
}
