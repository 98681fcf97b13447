internal import Foundation
internal import TokenLifecycle

/// The profiles of this user, by name, in a JSON file that only this user may read:
/// `{"work": {"key": "lf_report_…", "server": "https://push.example.com"}}`.
struct ProfileFile: Sendable {
    let path: String

    /// `$XDG_CONFIG_HOME/landfall/profiles.json`, by default below `~/.config` (XDG Base Directory Specification).
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let configured = environment["XDG_CONFIG_HOME"] ?? ""
        let home = environment["HOME"] ?? NSHomeDirectory()
        // The specification has relative paths ignored.
        let folder = configured.hasPrefix("/") ? configured : home + "/.config"
        path = folder + "/landfall/profiles.json"
    }

    /// Every profile by name; none if there is no file.
    ///
    /// - Throws: ``ProfileProblem`` if others may read the file, or if it is damaged.
    func profiles() throws(ProfileProblem) -> [String: Profile] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            guard mode & 0o077 == 0 else { throw ProfileProblem.readableByOthers(path: path) }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode([String: Profile].self, from: data)
        } catch let problem as ProfileProblem {
            throw problem
        } catch is DecodingError {
            throw .unreadable(
                path: path,
                reason: "it is not a JSON object of profiles, each with a \"server\" and a \"key\"")
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }

    func profile(_ name: String) throws(ProfileProblem) -> Profile {
        let profiles = try profiles()
        guard let profile = profiles[name] else {
            throw .unknown(name, known: profiles.keys.sorted(), path: path)
        }
        return profile
    }

    /// Adds or replaces a profile; `nil` removes it. Readers see the old file or the new one.
    func set(_ name: String, to profile: Profile?) throws(ProfileProblem) {
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
            throw .notWritten(path: path, reason: String(cString: strerror(error.errno)))
        } catch {
            throw .notWritten(path: path, reason: error.localizedDescription)
        }
    }
}
