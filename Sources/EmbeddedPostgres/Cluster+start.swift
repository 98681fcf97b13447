import Foundation

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

    /// Removes the sockets of a crashed server first: their lock files contain a process id that another
    /// program may have by now.
    private func prepareSocketFolder() throws(EmbeddedPostgresError) {
        try socketFolder.makePrivate(for: account)
        try link(from: Folder(path: layout.dataFolder.child("run")), to: socketFolder)
        let socket = socketFolder.child(ClusterLayout.socketName)
        unlink(socket)
        unlink(socket + ".lock")
    }
}

/// The log file of the server.
struct ServerLog: Sendable {
    private static let largestSize: UInt64 = 16 << 20
    private static let quotedSize: UInt64 = 8 << 10
    private static let quotedLines = 15

    let path: String

    /// In bytes; 0 if there is no log.
    var size: UInt64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    /// Moves a large log aside, replacing the one moved before; the server opens a new one when it starts.
    func rotateWhenLarge() {
        guard size > Self.largestSize else { return }
        rename(path, path + ".1")
    }

    /// The last lines written since the log had this size.
    func lastLines(since start: UInt64 = 0) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        let end = size
        let from = max(start, end > Self.quotedSize ? end - Self.quotedSize : 0)
        guard (try? file.seek(toOffset: from)) != nil, let bytes = try? file.readToEnd() else { return "" }
        // Continued lines begin with a tab.
        return String(decoding: bytes, as: UTF8.self).replacing("\t", with: "    ")
            .split(separator: "\n").suffix(Self.quotedLines).joined(separator: "\n")
    }
}
