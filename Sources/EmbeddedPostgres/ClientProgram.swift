public import Foundation

/// A program of PostgreSQL that connects to a server: `pg_dump`, `pg_restore`.
public struct ClientProgram: Sendable {
    public let url: URL
    /// The major version.
    public let version: Int

    /// The installed program that fits a server best: of the same major version, or else of the
    /// next newer one. Older programs reject the server.
    ///
    /// Searches only `LANDFALL_PG_BIN` if that is set. Otherwise searches the search path, the
    /// folders of the server's programs and the usual folders of packages.
    /// - Throws: ``EmbeddedPostgresError/clientNotInstalled(program:needed:installed:)``
    public static func find(
        _ name: String, atLeast major: Int,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EmbeddedPostgresError) -> ClientProgram {
        var fitting: [(version: Int, path: String)] = []
        var installed: [String] = []
        for path in ServerPrograms.folders(in: environment).map({ $0 + "/" + name })
        where access(path, X_OK) == 0 {
            let outcome = try Command(program: path, arguments: ["--version"]).run()
            let text = ServerPrograms.majorVersion(in: outcome.output)
            guard outcome.status == 0, let version = Int(text) else { continue }
            if !installed.contains(text) { installed.append(text) }
            if version >= major { fitting.append((version, path)) }
        }
        guard let best = fitting.min(by: { $0.version < $1.version }) else {
            throw .clientNotInstalled(program: name, needed: major, installed: installed)
        }
        return ClientProgram(url: URL(fileURLWithPath: best.path), version: best.version)
    }
}
