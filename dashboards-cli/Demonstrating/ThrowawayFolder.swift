internal import EmbeddedPostgres
internal import Foundation

/// A data folder that nobody else uses and that goes away in the end.
struct ThrowawayFolder: Sendable {
    let url: URL

    /// Others may pass through it but not look into it: when we are root, the database runs as another user.
    static func create() throws(DemoProblem) -> ThrowawayFolder {
        let name = "landfall-demo-" + UUID().uuidString.prefix(8).lowercased()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o700) == 0, chmod(url.path, geteuid() == 0 ? 0o711 : 0o700) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        return ThrowawayFolder(url: url)
    }

    /// Starts a database that need not outlive a crash of this machine: waiting for the disk would be for
    /// nothing.
    ///
    /// A Ctrl-C in the terminal reaches the programs that start it as well, which leave it on its way up or
    /// down.
    func startDatabase() throws -> EmbeddedPostgres {
        do {
            return try EmbeddedPostgres.startOrFind(dataFolder: url, settings: ["fsync": "off"])
        } catch {
            try endAbandonedDatabase()
            throw error
        }
    }

    func end(_ database: EmbeddedPostgres) throws {
        do {
            try database.release()
        } catch {
            try endAbandonedDatabase()
        }
    }

    /// Whatever state it is in, finding it brings it up in order, and then it can be stopped.
    private func endAbandonedDatabase() throws {
        let version = url.appendingPathComponent("cluster", isDirectory: true).appendingPathComponent(
            "PG_VERSION")
        guard FileManager.default.fileExists(atPath: version.path) else { return }
        do {
            try EmbeddedPostgres.startOrFind(dataFolder: url).release()
        } catch {
            usleep(500_000)
            try EmbeddedPostgres.startOrFind(dataFolder: url).release()
        }
    }

    /// Removes it with everything in it.
    func remove() throws {
        try ["cluster", "run"].forEach(removeElsewhere)
        try FileManager.default.removeItem(at: url)
    }

    /// Where the database's user cannot enter the temporary folder, these names are links to folders
    /// elsewhere, which have a folder of their own around them.
    private func removeElsewhere(_ name: String) throws {
        let link = url.appendingPathComponent(name, isDirectory: true)
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link.path) else {
            return
        }
        if FileManager.default.fileExists(atPath: target) {
            try FileManager.default.removeItem(atPath: target)
        }
        rmdir(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }
}
