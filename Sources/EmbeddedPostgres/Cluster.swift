import Foundation

/// One cluster on disk, with the programs and the user that run it.
///
/// A caller of ``startOrFind(with:)`` or ``stop()`` must hold the layout's gate.
struct Cluster: Sendable {
    static let databaseName = "landfall"
    static let role = "landfall"

    let layout: ClusterLayout
    let account: ServerAccount
    let programs: ServerPrograms
    /// PostgreSQL's own folder, with symbolic links resolved.
    let folder: Folder
    let socketFolder: Folder

    init(layout: ClusterLayout, environment: [String: String]) throws(EmbeddedPostgresError) {
        let existing = layout.clusterLink.resolved
        guard existing != nil || !layout.clusterLink.isLink else {
            throw .clusterMissing(link: layout.clusterLink.path)
        }
        let account = try ServerAccount.current(
            ownerID: existing?.ownerID ?? layout.dataFolder.ownerID)
        let version = existing.flatMap {
            try? String(contentsOfFile: $0.child("PG_VERSION"), encoding: .utf8)
        }
        programs = try ServerPrograms.find(
            in: environment, madeBy: version.map(ServerPrograms.majorVersion),
            cluster: layout.clusterLink.path)
        let home = try layout.home(for: account)
        folder = existing ?? Folder(path: home.child("cluster"))
        socketFolder = layout.socketFolder(in: home)
        if version != nil, let ownerID = folder.ownerID, ownerID != account.userID {
            throw .clusterOfOtherOwner(cluster: folder.path, ownerID: ownerID)
        }
        self.layout = layout
        self.account = account
    }

    var isComplete: Bool { access(folder.child("PG_VERSION"), F_OK) == 0 }
    var logFile: String { folder.child("server.log") }

    /// Returns once a server accepts connections in the socket folder.
    func startOrFind(
        with settings: ServerSettings
    ) throws(EmbeddedPostgresError) -> (socketFolder: String, wasStartedHere: Bool) {
        if let socketFolder = try findRunning() {
            try createDatabaseIfAbsent(socketFolder)
            return (socketFolder, false)
        }
        try createIfAbsent(with: settings)
        try start(with: settings)
        do {
            try createDatabaseIfAbsent(socketFolder.path)
        } catch {
            try? stop()
            throw error
        }
        return (socketFolder.path, true)
    }

    /// The socket folder of the running server; `nil` if no server is running that clients can reach.
    private func findRunning() throws(EmbeddedPostgresError) -> String? {
        switch try settledServer() {
        case .absent: return nil
        case .mistaken:
            // postgres would mistake the process id in the file for a running server and refuse to start.
            unlink(PostmasterFile.path(in: folder))
            return nil
        case .ready(let socketFolder):
            if access(socketFolder + "/" + ClusterLayout.socketName, F_OK) == 0 { return socketFolder }
            // A cleaner of the temporary folder removed the socket: only a restart brings it back.
            try stop()
            return nil
        case .changing: throw .startRefused(logFile: logFile, lastLines: ServerLog(path: logFile).lastLines())
        }
    }

    /// Waits while a server starts or stops, such as one whose starter was killed.
    private func settledServer() throws(EmbeddedPostgresError) -> PostmasterFile.Server {
        let deadline = Deadline(seconds: ClusterLayout.patienceSeconds)
        var server = PostmasterFile.server(of: folder)
        while server == .changing, deadline.pause() {
            server = PostmasterFile.server(of: folder)
        }
        return server
    }
}
