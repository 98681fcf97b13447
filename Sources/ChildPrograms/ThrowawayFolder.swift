public import EmbeddedPostgres
public import Foundation

/// A data folder that no other program uses, to be removed at the end.
public struct ThrowawayFolder: Sendable {
    public let url: URL

    /// Creates the folder. If we are root, other users may pass through it but not list it, because
    /// the database runs as one of them.
    ///
    /// - Parameter purpose: a word for the folder's name.
    public static func create(for purpose: String) throws(ChildProgramError) -> ThrowawayFolder {
        let name = "landfall-\(purpose)-" + UUID().uuidString.prefix(8).lowercased()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o700) == 0, chmod(url.path, geteuid() == 0 ? 0o711 : 0o700) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        return ThrowawayFolder(url: url)
    }

    /// Starts a database. If that fails, stops whatever was started.
    ///
    /// - Parameters:
    ///   - isDurable: whether commits wait for the disk. For data that is thrown away, that is of
    ///     no use, unless it is what is measured.
    ///   - settings: additional settings of PostgreSQL.
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

    /// Stops a database in whatever state: finding it brings it into a state in which it can be stopped.
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

    /// Removes the folder with everything in it.
    public func remove() throws {
        try ["cluster", "run"].forEach(removeElsewhere)
        try FileManager.default.removeItem(at: url)
    }

    /// If the database's user cannot enter the temporary folder, these names are links to folders
    /// elsewhere, whose parent folder is this cluster's alone.
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
