package import Foundation

#if canImport(Darwin)
    private typealias SpawnActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
#else
    private typealias SpawnActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Starts programs.
///
/// Foundation's `Process` waits until every descendant has closed an inherited descriptor, which a server
/// started by `pg_ctl` never does, and passes on the signals that we block. Here a program gets `/dev/null`,
/// a descriptor for its output and no other of ours, and the default for every signal. Its own process group
/// keeps Ctrl-C and a closed terminal, which signal the whole job, away from it.
package enum Spawner {
    /// - Parameters:
    ///   - words: the path of the program and its arguments.
    ///   - output: receives standard output and standard error.
    /// - Returns: the process id, or the number of the error.
    package static func spawn(
        _ words: [String], environment: [String: String], output: Int32
    ) -> (pid: pid_t, error: Int32) {
        var actions = actions(writingTo: output)
        var attributes = attributes()
        let arguments = words.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            (arguments + variables).forEach { free($0) }
        }
        var pid: pid_t = 0
        let error = posix_spawn(
            &pid, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
        return (pid, error)
    }

    private static func actions(writingTo output: Int32) -> SpawnActions {
        #if canImport(Darwin)
            var actions: SpawnActions = nil
        #else
            var actions = SpawnActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
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
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }
}
