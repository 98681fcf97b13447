import Foundation

/// The content of `postmaster.pid`, the file that a running server keeps in its cluster.
///
/// Its lines are documented in PostgreSQL's source, src/include/utils/pidfile.h.
struct PostmasterFile: Sendable, Equatable {
    let serverID: pid_t
    /// Seconds since 1970.
    let startedAt: Int64
    let socketFolder: String
    let isReady: Bool

    /// The state of a cluster's server.
    enum Server: Sendable, Equatable {
        /// No server runs.
        case absent
        /// The file is left over; its process id is another program's, or that of an unreaped dead process.
        case mistaken
        /// A server runs, but is still starting or already stopping.
        case changing
        case ready(socketFolder: String)
    }

    static func path(in cluster: Folder) -> String { cluster.child("postmaster.pid") }

    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let number = lines.first.flatMap({ pid_t($0.filter(\.isNumber)) }), number > 0 else {
            return nil
        }
        serverID = number
        startedAt = lines.count > 2 ? Int64(lines[2].filter(\.isNumber)) ?? 0 : 0
        socketFolder = lines.count > 4 ? String(lines[4]) : ""
        isReady = lines.count > 7 && lines[7].hasPrefix("ready")
    }

    static func read(in cluster: Folder) -> PostmasterFile? {
        (try? String(contentsOfFile: path(in: cluster), encoding: .utf8)).flatMap { PostmasterFile($0) }
    }

    static func server(of cluster: Folder) -> Server {
        guard let file = read(in: cluster), kill(file.serverID, 0) == 0 else { return .absent }
        guard file.isServing(cluster) else { return .mistaken }
        return file.isReady ? .ready(socketFolder: file.socketFolder) : .changing
    }

    #if canImport(Darwin)
        /// The arguments of a server include its cluster's folder.
        private func isServing(_ cluster: Folder) -> Bool {
            let look = Command(
                program: "/bin/ps", arguments: ["-ww", "-o", "command=", "-p", String(serverID)])
            guard let outcome = try? look.run() else { return true }
            return outcome.output.contains("postgres") && outcome.output.contains(cluster.path)
        }
    #else
        /// The working directory of a server is its cluster's folder. An unreaped dead process has none.
        ///
        /// If the system does not allow this check, the file is believed. systemd's `ProtectProc=invisible`
        /// even hides processes of the same user if they are in another user namespace (`PrivateUsers=`).
        private func isServing(_ cluster: Folder) -> Bool {
            if let place = Folder(path: "/proc/\(serverID)/cwd").resolved { return place == cluster }
            return errno != ENOENT || !Folder(path: "/proc/\(serverID)").exists
        }
    #endif
}
