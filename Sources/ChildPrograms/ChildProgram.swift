public import Foundation

#if canImport(Darwin)
    internal import Darwin
    private typealias SpawnActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
#else
    internal import Glibc
    private typealias SpawnActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
#endif

/// A program that runs alongside this one and writes its output to a file.
///
/// It runs in its own process group, so that Ctrl-C in the terminal does not reach it before we have finished
/// our work with it. Foundation's `Process` would pass on our blocked signals, and wrk needs SIGINT.
public struct ChildProgram: Sendable {
    public let pid: pid_t
    private let log: URL

    /// - Parameter log: the file to which standard output and standard error are appended.
    public static func start(
        _ executable: URL, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment, log: URL
    ) throws(ChildProgramError) -> ChildProgram {
        var actions = actions(writingTo: log)
        var attributes = attributes()
        let words = ([executable.path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            (words + variables).forEach { free($0) }
        }
        var pid: pid_t = 0
        let rejection = posix_spawn(
            &pid, executable.path, &actions, &attributes, words + [nil], variables + [nil])
        guard rejection == 0 else {
            throw .notStarted(program: executable.path, reason: String(cString: strerror(rejection)))
        }
        return ChildProgram(pid: pid, log: log)
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
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        return false
    }

    private static func actions(writingTo log: URL) -> SpawnActions {
        #if canImport(Darwin)
            var actions: SpawnActions = nil
        #else
            var actions = SpawnActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, log.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        return actions
    }

    /// Resets signals, because those that we ignore or block for our own reasons would stay so in the program.
    private static func attributes() -> SpawnAttributes {
        #if canImport(Darwin)
            var attributes: SpawnAttributes = nil
            let flags =
                POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
                | POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var attributes = SpawnAttributes()
            let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        #endif
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        (StopSignals.numbers + [SIGPIPE, SIGCHLD]).forEach { sigaddset(&signals, $0) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
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
