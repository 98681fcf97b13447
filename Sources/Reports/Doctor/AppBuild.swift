internal import Basics

/// A version of an app on a platform.
struct AppBuild: Hashable, Decodable, Sendable {
    let platform: String
    let version: String

    private enum CodingKeys: String, CodingKey {
        case platform
        case version = "app_version"
    }

    /// `ios 7.2.0`.
    var name: String {
        let words = [platform, version].filter { !$0.isEmpty }
        return words.isEmpty ? "(unknown build)" : words.joined(separator: " ")
    }

    var json: [JSONValue.Member] {
        [.init("platform", .string(platform)), .init("app_version", .string(version))]
    }

    /// The options that select this build in other commands.
    var options: [String] { platformOptions + ["--app-version", version] }

    /// The options that select its platform in other commands.
    var platformOptions: [String] { platform.isEmpty ? [] : ["--platform", platform] }

    func isLater(than other: AppBuild) -> Bool { VersionOrder.isNewer(version, than: other.version) }
}
