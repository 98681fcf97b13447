import Foundation

/// The folder of the programs of one installed PostgreSQL.
struct ServerPrograms: Sendable, Equatable {
    static let names = ["initdb", "pg_ctl", "postgres", "createdb"]

    let folder: String

    /// The major version, such as `15` (`9.6` before PostgreSQL 10), as the server itself states it.
    func majorVersion() throws(EmbeddedPostgresError) -> String {
        Self.majorVersion(
            in: try Command(program: path(of: "postgres"), arguments: ["--version"]).run().output)
    }

    func path(of name: String) -> String { folder + "/" + name }

    /// The programs for a new cluster, or for one that a known major version created.
    ///
    /// A cluster can only be run by the major version that created it, so after a system upgrade
    /// the newest programs are not the right ones for an older cluster.
    static func find(
        in environment: [String: String], places: [PackagePlace] = PackagePlace.usual,
        madeBy version: String?, cluster: String
    ) throws(EmbeddedPostgresError) -> ServerPrograms {
        let candidates = try candidates(in: environment, places)
        guard let first = candidates.first else { throw .postgresNotInstalled }
        guard let version else { return first }
        var installed: [String] = []
        for candidate in candidates {
            let major = try candidate.majorVersion()
            if major == version { return candidate }
            if !installed.contains(major) { installed.append(major) }
        }
        throw .versionNotInstalled(needed: version, installed: installed, cluster: cluster)
    }

    /// Every installed PostgreSQL, best first. If `LANDFALL_PG_BIN` is set, only the one in that folder.
    static func candidates(
        in environment: [String: String], _ places: [PackagePlace] = PackagePlace.usual
    ) throws(EmbeddedPostgresError) -> [ServerPrograms] {
        if let asked = environment["LANDFALL_PG_BIN"], !asked.isEmpty {
            let programs = ServerPrograms(folder: URL(fileURLWithPath: asked).path)
            guard programs.missing.isEmpty else {
                throw .programsMissing(folder: asked, programs: programs.missing)
            }
            return [programs]
        }
        return serverFolders(searchPath(environment), places).filter { $0.hasPrefix("/") }
            .map { ServerPrograms(folder: $0) }.filter { $0.missing.isEmpty }
    }

    /// The folders that may contain programs that connect to a server: only `LANDFALL_PG_BIN` if it
    /// is set, otherwise the folders of the server's programs and the search path.
    static func folders(in environment: [String: String]) -> [String] {
        if let asked = environment["LANDFALL_PG_BIN"], !asked.isEmpty { return [asked] }
        let path = searchPath(environment)
        return serverFolders(path, PackagePlace.usual) + path
    }

    private static func serverFolders(_ searchPath: [String], _ places: [PackagePlace]) -> [String] {
        linkedFolders(searchPath) + configuredFolder(searchPath) + places.flatMap(\.folders)
    }

    private static func searchPath(_ environment: [String: String]) -> [String] {
        (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    static func majorVersion(in text: String) -> String {
        let number = text.split(separator: " ").first { $0.first?.isNumber == true } ?? ""
        let parts = number.split(separator: ".").map { $0.prefix { $0.isNumber } }
        guard let first = parts.first else { return "" }
        let isBeforeTen = (Int(first) ?? 0) < 10 && parts.count > 1
        return isBeforeTen ? "\(first).\(parts[1])" : String(first)
    }

    private var missing: [String] {
        Self.names.filter { access(path(of: $0), X_OK) != 0 }
    }

    /// The real folder of each `initdb` in the search path: a link to it may lack its companions.
    private static func linkedFolders(_ searchPath: [String]) -> [String] {
        searchPath.compactMap { Folder(path: $0 + "/initdb").resolved }
            .map { URL(fileURLWithPath: $0.path).deletingLastPathComponent().path }
    }

    /// The output of `pg_config --bindir`, if there is a pg_config.
    private static func configuredFolder(_ searchPath: [String]) -> [String] {
        guard let tool = searchPath.map({ $0 + "/pg_config" }).first(where: { access($0, X_OK) == 0 }),
            let outcome = try? Command(program: tool, arguments: ["--bindir"]).run(), outcome.status == 0
        else { return [] }
        return [outcome.output]
    }
}

/// A place where packages install the programs of several versions side by side, such as
/// `/usr/lib/postgresql/15/bin`.
struct PackagePlace: Sendable {
    let parent: String
    let prefix: String

    static let usual = [
        PackagePlace(parent: "/usr/lib/postgresql", prefix: ""),
        PackagePlace(parent: "/usr", prefix: "pgsql-"),
        PackagePlace(parent: "/opt/homebrew/opt", prefix: "postgresql@"),
        PackagePlace(parent: "/usr/local/opt", prefix: "postgresql@"),
    ]

    /// The folders with programs, newest version first.
    var folders: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .compactMap { name in Double(name.dropFirst(prefix.count)).map { (version: $0, name: name) } }
            .sorted { $0.version > $1.version }
            .map { "\(parent)/\($0.name)/bin" }
    }
}
