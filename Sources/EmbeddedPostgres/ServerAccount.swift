import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The user that the server runs as: our own, unless we are root, which PostgreSQL refuses.
struct ServerAccount: Sendable {
    let userID: uid_t
    let groupID: gid_t
    /// The words to put before a command so that it runs as this user; empty if we are that user.
    let launcher: [String]

    static func current() throws(EmbeddedPostgresError) -> ServerAccount {
        guard geteuid() == 0 else {
            return ServerAccount(userID: geteuid(), groupID: getegid(), launcher: [])
        }
        for name in ["postgres", "nobody"] {
            guard let entry = passwordEntry(of: name), entry.userID != 0 else { continue }
            let launcher = try launcher(to: name, entry.userID, entry.groupID)
            return ServerAccount(userID: entry.userID, groupID: entry.groupID, launcher: launcher)
        }
        throw .cannotLeaveRoot(reason: "there is no user 'postgres' or 'nobody' to run it as")
    }

    func command(_ program: String, _ arguments: [String]) -> Command {
        let words = launcher + [program] + arguments
        return Command(program: words[0], arguments: Array(words.dropFirst()))
    }

    /// Whether this user can enter the folder, which requires access through every parent.
    func canEnter(_ folder: Folder) throws(EmbeddedPostgresError) -> Bool {
        guard !launcher.isEmpty else { return true }
        return try command("/bin/sh", ["-c", #"test -x "$0""#, folder.path]).run().status == 0
    }

    private static func launcher(
        to name: String, _ userID: uid_t, _ groupID: gid_t
    ) throws(EmbeddedPostgresError) -> [String] {
        let choices: [(program: String, arguments: [String])] = [
            ("setpriv", ["--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--"]),
            ("runuser", ["-u", name, "--"]),
            ("sudo", ["-n", "-u", name, "--"]),
        ]
        for choice in choices {
            for folder in ["/usr/bin", "/bin", "/usr/sbin", "/sbin"] {
                let program = folder + "/" + choice.program
                if access(program, X_OK) == 0 { return [program] + choice.arguments }
            }
        }
        throw .cannotLeaveRoot(reason: "neither setpriv, runuser nor sudo is available to run it as \(name)")
    }

    private static func passwordEntry(of name: String) -> (userID: uid_t, groupID: gid_t)? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return (entry.pw_uid, entry.pw_gid)
    }
}
