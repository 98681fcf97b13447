import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One cluster on disk with the programs and the user that run it.
///
/// Whoever calls ``startOrFind(with:)`` or ``stop()`` holds the layout's gate.
struct Cluster: Sendable {
    static let databaseName = "landfall"
    static let role = "landfall"

    let layout: ClusterLayout
    let account: ServerAccount
    let programs: ServerPrograms
    /// PostgreSQL's own folder, without links on the way.
    let folder: Folder
    let socketFolder: Folder

    init(layout: ClusterLayout, environment: [String: String]) throws(EmbeddedPostgresError) {
        let existing = layout.clusterLink.resolved
        guard existing != nil || !layout.clusterLink.isLink else {
            throw .clusterMissing(link: layout.clusterLink.path)
        }
        let account = try ServerAccount.current()
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

    func startOrFind(with settings: ServerSettings) throws(EmbeddedPostgresError) -> RunningServer {
        if let socketFolder = try findRunning() {
            try createDatabaseIfAbsent(socketFolder)
            return RunningServer(socketFolder: socketFolder, wasStartedNow: false)
        }
        try createIfAbsent(with: settings)
        try start(with: settings)
        do {
            try createDatabaseIfAbsent(socketFolder.path)
        } catch {
            try? stop()
            throw error
        }
        return RunningServer(socketFolder: socketFolder.path, wasStartedNow: true)
    }

    /// The running server's socket folder; nil when no server runs that anybody could reach.
    private func findRunning() throws(EmbeddedPostgresError) -> String? {
        switch try settledServer() {
        case .absent: return nil
        case .mistaken:
            // postgres would take the number in the file for a server that still runs and refuse to start.
            unlink(PostmasterFile.path(in: folder))
            return nil
        case .ready(let socketFolder):
            if access(socketFolder + "/" + ClusterLayout.socketName, F_OK) == 0 { return socketFolder }
            // A cleaner of the temporary folder took the socket: only a new start brings it back.
            try stop()
            return nil
        case .changing: throw .startRefused(logFile: logFile, lastLines: ServerLog(path: logFile).lastLines())
        }
    }

    /// Waits while a server starts or stops, as one does whose starter was killed.
    private func settledServer() throws(EmbeddedPostgresError) -> PostmasterFile.Server {
        let deadline = Deadline(seconds: ClusterLayout.patienceSeconds)
        var server = PostmasterFile.server(of: folder)
        while server == .changing, deadline.pause() {
            server = PostmasterFile.server(of: folder)
        }
        return server
    }
}

/// A server that accepts connections.
struct RunningServer: Sendable {
    let socketFolder: String
    let wasStartedNow: Bool
}
