import Foundation

/// Where the pieces of one cluster lie.
///
/// In the data folder: `cluster` (PostgreSQL's own folder), `run` (the socket's folder) and two lock files.
/// When we are root and the server's user cannot enter the data folder, `cluster` and `run` are links to
/// folders below `/var/lib/landfall`.
struct ClusterLayout: Sendable {
    /// Names the socket's file; there is no TCP listener.
    static let port = 5432
    /// How long one program may take to start or stop the cluster while others wait; crash recovery included.
    static let patienceSeconds = 360
    /// What `sun_path` holds on macOS, the shortest among the systems we run on, without its closing zero.
    static let longestSocketPath = 103
    /// Where root's clusters go when the server's user cannot enter the data folder.
    static let relocationRoot = "/var/lib/landfall"

    let dataFolder: Folder

    init(dataFolder: DataFolder) throws(EmbeddedPostgresError) {
        try dataFolder.create()
        guard let resolved = Folder(path: dataFolder.url.path).resolved else {
            throw .refusedCall("realpath", dataFolder.url.path)
        }
        // pg_ctl puts paths into a shell command between double quotes, without escaping them.
        guard !resolved.path.contains(where: { #""$`\"#.contains($0) || $0.isNewline }) else {
            throw .folderUnusable(
                path: resolved.path, reason: "pg_ctl cannot use a path with \", $, ` or \\")
        }
        self.dataFolder = resolved
    }

    /// Held alone by whoever starts, finds or stops the cluster.
    var gateFile: String { dataFolder.child("cluster.gate") }
    /// Shared by everybody who uses the cluster.
    var usersFile: String { dataFolder.child("cluster.users") }
    /// The cluster as seen from the data folder: a folder or a link to one.
    var clusterLink: Folder { Folder(path: dataFolder.child("cluster")) }

    func enterGate() throws(EmbeddedPostgresError) -> FileLock {
        try FileLock.exclusive(at: gateFile, within: Self.patienceSeconds)
    }

    /// The folder that `cluster` and `run` really lie in, created when absent.
    func home(for account: ServerAccount) throws(EmbeddedPostgresError) -> Folder {
        if try account.canEnter(dataFolder) { return dataFolder }
        let home = relocatedHome
        try Folder(path: Self.relocationRoot).createWithParents(mode: 0o755)
        try home.makePrivate(for: account)
        return home
    }

    var relocatedHome: Folder {
        Folder(path: "\(Self.relocationRoot)/\(StableHash(of: dataFolder.path))")
    }

    /// The socket's folder: `run` in the cluster's home, or a short one when that path does not fit a socket
    /// address or has characters that a connection string would need quoted.
    func socketFolder(in home: Folder) -> Folder {
        let preferred = home.child("run")
        let socket = preferred + "/" + Self.socketName
        guard socket.utf8.count <= Self.longestSocketPath, preferred.allSatisfy(Self.isPlain) else {
            return shortSocketFolder
        }
        return Folder(path: preferred)
    }

    /// In `/tmp`, not `$TMPDIR`, which is longer on macOS and may differ between two programs that must meet.
    var shortSocketFolder: Folder {
        Folder(path: "/tmp/landfall-\(StableHash(of: dataFolder.path))")
    }

    static var socketName: String { ".s.PGSQL.\(port)" }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "/._-+~@:".contains(character))
    }
}
