import Foundation

#if canImport(Darwin)
    import Darwin
    private typealias SpawnActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
#else
    import Glibc
    private typealias SpawnActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
#endif

/// A program that is run to its end.
///
/// Foundation's `Process` waits until every descendant has closed an inherited descriptor, which a
/// server started by `pg_ctl` never does. Here the program gets `/dev/null`, a file for its output, and
/// no other descriptor of ours: its output cannot block, and the server keeps nothing of ours open.
///
/// It runs in `/`, because the user it runs as may not be able to enter our working folder.
struct Command: Sendable {
    let program: String
    let arguments: [String]
    var environment = Command.passedOn(from: ProcessInfo.processInfo.environment)

    struct Outcome: Sendable {
        /// The exit status, or 128 + the number of the signal that ended the program.
        let status: Int32
        /// The program's standard output and standard error, trimmed; at most the first 64 KiB.
        let output: String
    }

    /// Blocks until the program ends.
    func run() throws(EmbeddedPostgresError) -> Outcome {
        let output = try OutputFile()
        defer { output.close() }
        let status = try Self.wait(for: try spawn(writingTo: output.descriptor), program)
        return Outcome(status: status, output: output.contents())
    }

    /// The variables of our environment that a server may have: no secrets, and no `PG…` variable that would redirect it.
    static func passedOn(from environment: [String: String]) -> [String: String] {
        let kept: Set<String> = ["PATH", "HOME", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
        return environment.filter { kept.contains($0.key) }
            .merging(["LC_ALL": "C"]) { _, new in new }
    }

    private func spawn(writingTo descriptor: Int32) throws(EmbeddedPostgresError) -> pid_t {
        var actions = Self.actions(writingTo: descriptor)
        var attributes = Self.attributes()
        let words = (["/bin/sh", "-c", #"cd / && exec "$0" "$@""#, program] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            (words + variables).forEach { free($0) }
        }
        var child: pid_t = 0
        let refusal = posix_spawn(&child, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil])
        guard refusal == 0 else {
            throw .systemCallRefused(call: "exec", path: program, reason: String(cString: strerror(refusal)))
        }
        return child
    }

    private static func actions(writingTo descriptor: Int32) -> SpawnActions {
        #if canImport(Darwin)
            var actions: SpawnActions = nil
        #else
            var actions = SpawnActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDERR_FILENO)
        inheritableDescriptors().forEach { posix_spawn_file_actions_addclose(&actions, $0) }
        return actions
    }

    #if canImport(Darwin)
        /// Empty, because `POSIX_SPAWN_CLOEXEC_DEFAULT` keeps all of them from the child.
        private static func inheritableDescriptors() -> [Int32] { [] }
    #else
        private static func inheritableDescriptors() -> [Int32] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.compactMap { Int32($0) }.filter { descriptor in
                let flags = fcntl(descriptor, F_GETFD)
                return descriptor > STDERR_FILENO && flags >= 0 && flags & FD_CLOEXEC == 0
            }
        }
    #endif

    /// Resets signals, because those that our program ignores or blocks for its own reasons would
    /// stay so in the server. A process group of its own keeps Ctrl-C and a closed terminal, which
    /// signal the whole job, from ending `pg_ctl` while the server starts.
    private static func attributes() -> SpawnAttributes {
        #if canImport(Darwin)
            var attributes: SpawnAttributes = nil
            let flags =
                POSIX_SPAWN_CLOEXEC_DEFAULT | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
                | POSIX_SPAWN_SETPGROUP
        #else
            var attributes = SpawnAttributes()
            let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        #endif
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD].forEach { sigaddset(&signals, $0) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    private static func wait(for child: pid_t, _ program: String) throws(EmbeddedPostgresError) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw .refusedCall("waitpid", program) }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}

/// A file without a name for a program's output.
private struct OutputFile {
    let descriptor: Int32

    init() throws(EmbeddedPostgresError) {
        let path = FileManager.default.temporaryDirectory.path + "/landfall-output-" + UUID().uuidString
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refusedCall("open", path) }
        unlink(path)
    }

    func contents() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func close() {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }
}
