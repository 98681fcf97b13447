internal import Reports
public import Settings
internal import TokenLifecycle
internal import Wording

/// The server's settings and the origin of each value: flags override the environment, then credentials, then
/// the file, then the defaults.
public struct EffectiveSettings: Sendable {
    private let found: ReadSettings<SettingValues>
    /// Settings that are valid but most likely not intended.
    public let warnings: [String]

    /// Variables with our prefix that are not settings: the name of the file, and variables of the command line.
    private static let otherVariables = [
        ConfigurationFile.environmentVariable, "LANDFALL_KEY", TokenKey.nextEnvironmentVariable,
        "LANDFALL_BACKUP_PASSPHRASE", "LANDFALL_PROFILE",
    ]

    /// - Parameters:
    ///   - flags: the command line's values, by the names of the settings.
    ///   - file: a JSON file; `nil` for the one that `LANDFALL_CONFIG` names, if any.
    /// - Throws: ``SettingsError`` with all errors.
    public init(
        flags: [String: String] = [:], file: String? = nil, environment: [String: String]
    ) throws(SettingsError) {
        found = try ReadSettings(
            Setting.all, defaults: SettingValues(), flags: flags, file: file, environment: environment)
        warnings =
            Self.unknownVariables(environment) + Self.unknownKeys(found.file)
            + Self.shortGrace(found.values)
    }

    var values: SettingValues { found.values }
    var origins: [String: SettingOrigin] { found.origins }
    public var logging: LogSettings { values.server.logging }

    func origin(of setting: Setting) -> SettingOrigin { found.origin(of: setting) }

    /// The environment for the components that read it themselves.
    func environment(over environment: [String: String]) -> [String: String] {
        found.environment(over: environment)
    }

    /// A request whose body is still arriving when the grace period ends is cut off.
    private static func shortGrace(_ values: SettingValues) -> [String] {
        let (grace, timeout) = (values.server.shutdownGrace, values.server.limits.requestTimeout)
        guard timeout >= grace else { return [] }
        return [
            "limits.request_timeout (\(timeout)) is not below shutdown.grace (\(grace)): a stop may cut off "
                + "requests whose bodies are still arriving"
        ]
    }

    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let prefix = "LANDFALL_"
        let known = (Setting.all.map(\.environmentVariable) + otherVariables).map {
            $0.dropFirst(prefix.count)
        }
        // The common prefix must not make names similar.
        let ours = environment.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        return ours.filter { !known.contains($0) }.sorted().map { name in
            let meant = closestName(to: String(name), among: known.map(String.init))
            let suggestion = meant.map { "; did you mean \(prefix)\($0)?" } ?? ""
            return "the environment variable \(prefix)\(name) is not a setting and has no effect\(suggestion)"
        }
    }

    private static func unknownKeys(_ file: ConfigurationFile?) -> [String] {
        guard let file else { return [] }
        let known = Setting.all.map(\.name)
        return file.keys.filter { !known.contains($0) }.map { name in
            let suggestion = closestName(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            return "\(name) in \(file.path) is not a setting and has no effect\(suggestion)"
        }
    }
}
