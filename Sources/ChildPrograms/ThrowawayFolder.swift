public import EmbeddedPostgres
public import Foundation

/// A data folder that nobody else uses and that goes away in the end.
public struct ThrowawayFolder: Sendable {
    public let url: URL

    /// Others may pass through it but not look into it: when we are root, the database runs as another user.
    ///
    /// - Parameter purpose: a word for its name.
    public static func create(for purpose: String) throws(ChildProgramError) -> ThrowawayFolder {
        let name = "landfall-\(purpose)-" + UUID().uuidString.prefix(8).lowercased()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o700) == 0, chmod(url.path, geteuid() == 0 ? 0o711 : 0o700) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        return ThrowawayFolder(url: url)
    }

    /// Starts a database.
    ///
    /// - Parameter isDurable: whether commits wait for the disk. For what is thrown away that is for nothing, unless it
    ///   is what is being measured.
    /// - Parameter settings: further ones of PostgreSQL.
    ///
    /// A Ctrl-C in the terminal reaches the programs that start it as well, which leave it on its way up or
    /// down.
    public func startDatabase(isDurable: Bool, settings: [String: String] = [:]) throws -> EmbeddedPostgres {
        do {
            return try EmbeddedPostgres.startOrFind(
                dataFolder: url, settings: isDurable ? settings : settings.merging(["fsync": "off"]) { $1 })
        } catch {
            try endAbandonedDatabase()
            throw error
        }
    }

    public func end(_ database: EmbeddedPostgres) throws {
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
    public func remove() throws {
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
