package import Basics

/// A version of an app on a platform.
package struct AppBuild: Hashable, Decodable, Sendable {
    package let platform: String
    package let version: String

    private enum CodingKeys: String, CodingKey {
        case platform
        case version = "app_version"
    }

    /// `ios 7.2.0`.
    package var name: String {
        let words = [platform, version].filter { !$0.isEmpty }
        return words.isEmpty ? "(unknown build)" : words.joined(separator: " ")
    }

    package var json: [JSONValue.Member] {
        [.init("platform", .string(platform)), .init("app_version", .string(version))]
    }

    /// The options that select this build in other commands.
    package var options: [String] { platformOptions + ["--app-version", version] }

    /// The options that select its platform in other commands.
    package var platformOptions: [String] { platform.isEmpty ? [] : ["--platform", platform] }

    package func isLater(than other: Self) -> Bool { VersionOrder.isNewer(version, than: other.version) }
}
