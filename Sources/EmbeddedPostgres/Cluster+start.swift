import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Cluster {
    /// Starts the server and waits until it accepts connections.
    func start(with settings: ServerSettings) throws(EmbeddedPostgresError) {
        try prepareSocketFolder()
        let log = ServerLog(path: logFile)
        log.rotateWhenLarge()
        // Child processes of a killed server outlive it for a moment and keep its shared memory.
        let deadline = Deadline(seconds: 10)
        var outcome: Command.Outcome
        var lastLines: String
        repeat {
            let sizeBefore = log.size
            outcome = try pgCtl(
                "start", "-l", logFile, "-t", String(ClusterLayout.patienceSeconds - 60),
                "-o", settings.options(socketFolder: socketFolder.path))
            guard outcome.status != 0 else { return }
            lastLines = log.lastLines(since: sizeBefore)
        } while lastLines.contains("pre-existing shared memory block") && deadline.pause()
        throw .startRefused(logFile: logFile, lastLines: lastLines.isEmpty ? outcome.output : lastLines)
    }

    /// Ends all connections and stops the server; does nothing if none is running.
    func stop() throws(EmbeddedPostgresError) {
        switch PostmasterFile.server(of: folder) {
        case .absent, .mistaken: return
        case .changing, .ready: break
        }
        let outcome = try pgCtl("stop", "-m", "fast", "-t", "120")
        guard outcome.status == 0 || PostmasterFile.server(of: folder) == .absent else {
            throw .stopRefused(cluster: folder.path, output: outcome.output)
        }
        if socketFolder == layout.shortSocketFolder { rmdir(socketFolder.path) }
    }

    private func pgCtl(_ action: String, _ arguments: String...) throws(EmbeddedPostgresError)
        -> Command.Outcome
    {
        try account.command(
            programs.path(of: "pg_ctl"), [action, "-D", folder.path, "-w", "-s"] + arguments
        ).run()
    }

    /// Removes the sockets of a crashed server first: their lock files contain a process id that another program may have by now.
    private func prepareSocketFolder() throws(EmbeddedPostgresError) {
        try socketFolder.makePrivate(for: account)
        try link(from: Folder(path: layout.dataFolder.child("run")), to: socketFolder)
        let socket = socketFolder.child(ClusterLayout.socketName)
        unlink(socket)
        unlink(socket + ".lock")
    }
}
