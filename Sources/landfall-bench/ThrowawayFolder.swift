internal import EmbeddedPostgres
internal import Foundation

/// A data folder that nobody else uses and that goes away in the end.
struct ThrowawayFolder: Sendable {
    let url: URL

    /// Others may pass through it but not look into it: when we are root, the database runs as another user.
    static func create() throws(BenchProblem) -> ThrowawayFolder {
        let name = "landfall-bench-" + UUID().uuidString.prefix(8).lowercased()
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o700) == 0, chmod(url.path, geteuid() == 0 ? 0o711 : 0o700) == 0 else {
            throw .noFolder(reason: String(cString: strerror(errno)))
        }
        return ThrowawayFolder(url: url)
    }

    /// Ends the database that may still run here after work that was broken off while it started one.
    func endDatabase() throws {
        let version = url.appendingPathComponent("cluster/PG_VERSION")
        guard FileManager.default.fileExists(atPath: version.path) else { return }
        try EmbeddedPostgres.startOrFind(dataFolder: url).release()
    }

    /// Removes it with everything in it.
    func remove() throws {
        // Where the database's user cannot enter the temporary folder, these are links to folders elsewhere.
        for name in ["cluster", "run"] {
            let place = url.appendingPathComponent(name, isDirectory: true).resolvingSymlinksInPath()
            if FileManager.default.fileExists(atPath: place.path) {
                try FileManager.default.removeItem(at: place)
            }
        }
        try FileManager.default.removeItem(at: url)
    }
}
