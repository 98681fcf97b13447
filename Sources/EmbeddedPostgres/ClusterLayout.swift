import Foundation

/// The paths of one cluster.
///
/// In the data folder: `cluster` (PostgreSQL's own folder), `run` (the socket's folder) and two lock files.
/// If we are root and the server's user cannot enter the data folder, `cluster` and `run` are links
/// to folders below `/var/lib/landfall-root`.
struct ClusterLayout: Sendable {
    /// Names the socket's file; there is no TCP listener.
    static let port = 5432
    /// The maximum time for a program to start or stop the cluster while others wait, with crash recovery.
    static let patienceSeconds = 360
    /// The capacity of `sun_path` without its terminating zero on macOS, the smallest of our systems.
    static let longestSocketPath = 103
    /// The parent of root's clusters if the server's user cannot enter the data folder. `/var/lib/landfall`
    /// is the Debian package's.
    static let relocationRoot = "/var/lib/landfall-root"

    let dataFolder: Folder

    init(dataFolder: DataFolder) throws(EmbeddedPostgresError) {
        try dataFolder.create()
        guard let resolved = Folder(path: dataFolder.url.path).resolved else {
            throw .refusedCall("realpath", dataFolder.url.path)
        }
        // pg_ctl puts paths into a shell command, in double quotes, without escaping them.
        guard !resolved.path.contains(where: { #""$`\"#.contains($0) || $0.isNewline }) else {
            throw .folderUnusable(
                path: resolved.path, reason: "pg_ctl cannot use a path with \", $, ` or \\")
        }
        self.dataFolder = resolved
    }

    /// Locked exclusively by the program that starts, finds or stops the cluster.
    var gateFile: String { dataFolder.child("cluster.gate") }
    /// Locked in shared mode by every program that uses the cluster.
    var usersFile: String { dataFolder.child("cluster.users") }
    /// The cluster as seen from the data folder: a folder or a link to one.
    var clusterLink: Folder { Folder(path: dataFolder.child("cluster")) }

    func enterGate() throws(EmbeddedPostgresError) -> FileLock {
        try FileLock.exclusive(at: gateFile, within: Self.patienceSeconds)
    }

    /// The folder that actually contains `cluster` and `run`; created if absent.
    func home(for account: ServerAccount) throws(EmbeddedPostgresError) -> Folder {
        if try account.canEnter(dataFolder) { return dataFolder }
        let home = relocatedHome
        try Folder(path: Self.relocationRoot).createWithParents(mode: 0o755)
        try home.makePrivate(for: account)
        return home
    }

    var relocatedHome: Folder {
        Folder(path: "\(Self.relocationRoot)/\(stableHash(of: dataFolder.path))")
    }

    /// The socket's folder: `run` in the cluster's home, or a short path if that one does not fit
    /// into a socket address or has characters that must be quoted in a connection string.
    func socketFolder(in home: Folder) -> Folder {
        let preferred = home.child("run")
        let socket = preferred + "/" + Self.socketName
        guard socket.utf8.count <= Self.longestSocketPath, preferred.allSatisfy(Self.isPlain) else {
            return shortSocketFolder
        }
        return Folder(path: preferred)
    }

    /// In `/tmp`, not `$TMPDIR`, which is longer on macOS and may differ among programs that share a socket.
    var shortSocketFolder: Folder {
        Folder(path: "/tmp/landfall-\(stableHash(of: dataFolder.path))")
    }

    static var socketName: String { ".s.PGSQL.\(port)" }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "/._-+~@:".contains(character))
    }
}

/// A short name for a long path, the same in every program and every run: sixteen hexadecimal digits.
///
/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/); Swift's own hashes differ between runs.
func stableHash(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
