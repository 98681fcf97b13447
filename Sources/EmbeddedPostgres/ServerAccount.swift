import Foundation

/// The user that the server runs as: our own, unless we are root, which PostgreSQL refuses. Root runs it as
/// the owner of the cluster.
struct ServerAccount: Sendable {
    let userID: uid_t
    let groupID: gid_t
    /// The words to put before a command so that it runs as this user; empty if we are that user.
    let launcher: [String]

    /// - Parameter ownerID: the owner of the cluster or, if there is none yet, of the data folder.
    static func current(ownerID: uid_t?) throws(EmbeddedPostgresError) -> ServerAccount {
        guard geteuid() == 0 else {
            return ServerAccount(userID: geteuid(), groupID: getegid(), launcher: [])
        }
        let owner = ownerID.flatMap { id in passwordEntry { getpwuid_r(id, $0, $1, $2, $3) } }
        let usual = ["postgres", "nobody"].lazy.compactMap { (name: String) in
            passwordEntry { getpwnam_r(name, $0, $1, $2, $3) }
        }
        guard let user = ([owner].compactMap(\.self) + usual).first(where: { $0.userID != 0 }) else {
            throw .cannotLeaveRoot(reason: "there is no user 'postgres' or 'nobody' to run it as")
        }
        return ServerAccount(
            userID: user.userID, groupID: user.groupID, launcher: try launcher(to: user))
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

    private static func launcher(to user: User) throws(EmbeddedPostgresError) -> [String] {
        let choices: [(program: String, arguments: [String])] = [
            ("setpriv", ["--reuid=\(user.userID)", "--regid=\(user.groupID)", "--clear-groups", "--"]),
            ("runuser", ["-u", user.name, "--"]),
            ("sudo", ["-n", "-u", user.name, "--"]),
        ]
        for (name, arguments) in choices {
            let places = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(name)" }
            if let program = places.first(where: { access($0, X_OK) == 0 }) { return [program] + arguments }
        }
        throw .cannotLeaveRoot(
            reason: "neither setpriv, runuser nor sudo is available to run it as \(user.name)")
    }

    private struct User {
        let name: String
        let userID: uid_t
        let groupID: gid_t
    }

    /// One entry of the password database, with `getpwnam_r` or `getpwuid_r`; `nil` if there is none.
    private static func passwordEntry(
        _ find: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> User? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, find(&entry, start, buffer.count, &found) == 0, found != nil
            else { return nil }
            return User(name: String(cString: entry.pw_name), userID: entry.pw_uid, groupID: entry.pw_gid)
        }
    }
}
