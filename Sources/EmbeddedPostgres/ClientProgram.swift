public import Foundation

/// A program of PostgreSQL that connects to a server: `pg_dump`, `pg_restore`.
public struct ClientProgram: Sendable {
    public let url: URL
    /// The major version.
    public let version: Int

    /// The installed program that fits a server best: of its own major version, else the next newer one. Older ones refuse the server.
    ///
    /// Looks in `LANDFALL_PG_BIN` alone if that is set, else in the search path, next to the server's programs and where packages put them.
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
