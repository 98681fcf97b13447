internal import Access
internal import ArgumentParser
internal import Foundation
internal import Vault

/// A server to ask for reports, and the key to ask with.
struct Profile: Codable, Equatable, Sendable {
    /// `https://push.example.com`, with no slash at its end.
    let server: String
    /// A key of kind report, which belongs to one app.
    let key: String
    /// The address of the console, if it has one of its own (`web.port`).
    let console: String?

    /// - Throws: ``CommandProblem`` for an address or a key that no report can be asked with.
    init(server: String, key: String, console: String? = nil) throws(CommandProblem) {
        self.server = try Self.address(server)
        self.key = try Self.reportKey(key)
        self.console = try console.map { text throws(CommandProblem) in try Self.address(text) }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            server: values.decode(String.self, forKey: .server),
            key: values.decode(String.self, forKey: .key),
            console: values.decodeIfPresent(String.self, forKey: .console))
    }

    var pages: String { console ?? server }

    var keyPrefix: String { APIKey.prefix(of: key) }

    /// Whether the key can be read on its way to the server.
    var isUnencrypted: Bool { server.hasPrefix("http://") && !isOnThisMachine }

    private var isOnThisMachine: Bool {
        let host = URL(string: server)?.host() ?? ""
        let isAddress = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return host == "localhost" || host == "::1" || isAddress && host.hasPrefix("127.")
    }

    /// The address of a server, with no slash at its end.
    static func address(_ text: String) throws(CommandProblem) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), !(parts.host ?? "").isEmpty
        else {
            throw CommandProblem(
                "'\(text)' is not the address of a server: use one such as https://push.example.com or "
                    + "http://127.0.0.1:8080")
        }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil else {
            throw CommandProblem(
                "the address '\(text)' contains a query, a fragment or a user: name only the server, such as "
                    + "https://push.example.com")
        }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        return address
    }

    private static func reportKey(_ text: String) throws(CommandProblem) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if let other = APIKey.Kind.allCases.first(where: { text.hasPrefix("lf_\($0.rawValue)_") }),
            other != .report
        {
            throw CommandProblem(
                "this is a \(other.rawValue) key, and reports are asked with a report key: landfall key create "
                    + "--kind report, run where the database is, prints one")
        }
        guard isPlain, text.hasPrefix("lf_report_"), APIKey.cell(of: text) != nil else {
            throw CommandProblem(
                "this is not a report key, which begins with lf_report_: landfall key create --kind report, "
                    + "run where the database is, prints one")
        }
        return text
    }
}

/// The profiles of this user, by name, in a JSON file that only this user may read:
/// `{"work": {"key": "lf_report_…", "server": "https://push.example.com"}}`.
struct ProfileFile: Sendable {
    let path: String

    /// `$XDG_CONFIG_HOME/landfall/profiles.json`, by default below `~/.config` (XDG Base Directory).
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let configured = environment["XDG_CONFIG_HOME"] ?? ""
        let home = environment["HOME"] ?? NSHomeDirectory()
        // The specification has relative paths ignored.
        let folder = configured.hasPrefix("/") ? configured : home + "/.config"
        path = folder + "/landfall/profiles.json"
    }

    /// Every profile by name; none if there is no file.
    ///
    /// - Throws: ``CommandProblem`` if others may read the file, or if it is damaged.
    func profiles() throws(CommandProblem) -> [String: Profile] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            guard mode & 0o077 == 0 else {
                throw CommandProblem("other users may read the keys in \(path): run chmod 600 \(path)")
            }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode([String: Profile].self, from: data)
        } catch let problem as CommandProblem {
            throw problem
        } catch is DecodingError {
            throw CommandProblem(
                "\(path) cannot be read: it is not a JSON object of profiles, each with a \"server\" and a "
                    + "\"key\"")
        } catch {
            throw CommandProblem("\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    func profile(_ name: String) throws(CommandProblem) -> Profile {
        let profiles = try profiles()
        guard let profile = profiles[name] else {
            let known = profiles.keys.sorted().joined(separator: ", ")
            throw CommandProblem(
                "there is no profile '\(name)'"
                    + (known.isEmpty ? ", and none else in \(path): " : " in \(path), which has \(known): ")
                    + "landfall config set \(name) --server URL creates it")
        }
        return profile
    }

    /// Adds or replaces a profile; `nil` removes it. Readers see the old file or the new one.
    func set(_ name: String, to profile: Profile?) throws(CommandProblem) {
        var profiles = try profiles()
        profiles[name] = profile
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try SecretFile.replace(file, contents: try encoder.encode(profiles) + Data("\n".utf8))
        } catch let error as SecretFileError {
            throw CommandProblem("\(path) cannot be written: \(String(cString: strerror(error.errno)))")
        } catch {
            throw CommandProblem("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

/// The profile that a command's question goes to, if it goes to a server.
struct ProfileOption: ParsableArguments {
    static let environmentVariable = "LANDFALL_PROFILE"

    @Option(
        help: .value(
            "Ask the server of this profile, over HTTP, instead of a database (landfall config). Default: LANDFALL_PROFILE, if set.",
            "name"))
    var profile: String?

    /// The server to ask; `nil` for a database. An option that names a database overrides the variable.
    func server(unless database: DatabaseOptions) throws -> RemoteServer? {
        let namesDatabase = database.database != nil || database.config != nil
        guard profile == nil || !namesDatabase else {
            note(
                "Error: --profile names a server, and --database and --config name a database: use one of them."
            )
            throw ExitCode.validationFailure
        }
        let name = profile ?? (namesDatabase ? nil : Self.named())
        return try name.map { RemoteServer(name: $0, profile: try ProfileFile().profile($0)) }
    }

    /// The profile that the environment names.
    static func named(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        let name = environment[environmentVariable] ?? ""
        return name.isEmpty ? nil : name
    }
}
