internal import Reports
internal import TokenLifecycle

/// What the server goes by, and where each value came from: flags over environment over file over defaults.
public struct EffectiveSettings: Sendable {
    let values: SettingValues
    let origins: [String: SettingOrigin]
    /// What is no error and yet most likely not meant.
    public let warnings: [String]

    /// Variables with our prefix that are no settings: which file to read, and what belongs to the command line.
    private static let otherVariables = [fileVariable, "LANDFALL_KEY", TokenKey.nextEnvironmentVariable]
    private static let fileVariable = "LANDFALL_CONFIG"

    /// - Parameters:
    ///   - flags: what the command line said, by the names of the settings.
    ///   - file: a JSON file; nil for the one that `LANDFALL_CONFIG` names, if any.
    /// - Throws: ``SettingsError`` with everything that is wrong.
    public init(
        flags: [String: String] = [:], file: String? = nil, environment: [String: String]
    ) throws(SettingsError) {
        var problems: [String] = []
        let path = file ?? environment[Self.fileVariable] ?? ""
        var file: ConfigurationFile?
        do {
            if !path.isEmpty { file = try ConfigurationFile(path: path) }
        } catch {
            problems += error.problems
        }
        let layers =
            [SettingLayer.flags(flags), .environment(environment)] + (file.map { [.file($0)] } ?? [])

        var values = SettingValues()
        var origins: [String: SettingOrigin] = [:]
        for setting in Setting.all {
            for layer in layers {
                guard let found = layer.find(setting) else { continue }
                let origin = layer.origin(of: setting)
                origins[setting.name] = origin
                if let problem = Self.take(found, as: setting, from: origin, into: &values) {
                    problems.append(problem)
                }
                break
            }
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
        self.values = values
        self.origins = origins
        warnings = Self.unknownVariables(environment) + Self.unknownKeys(file) + Self.shortGrace(values)
    }

    public var logging: LogSettings { values.server.logging }

    func origin(of setting: Setting) -> SettingOrigin { origins[setting.name] ?? .standard }

    private static func take(
        _ found: SettingLayer.Finding, as setting: Setting, from origin: SettingOrigin,
        into values: inout SettingValues
    ) -> String? {
        guard case .value(let text) = found else {
            return "\(origin): \(setting.name) must be \(setting.expectation)"
        }
        guard !setting.write(text, &values) else { return nil }
        let given = setting.secrecy == .open ? ", not \"\(text)\"" : ""
        return "\(origin): \(setting.name) must be \(setting.expectation)\(given)"
    }

    /// A request whose body is still coming when the grace is over is cut off.
    private static func shortGrace(_ values: SettingValues) -> [String] {
        let (grace, timeout) = (values.server.shutdownGrace, values.server.limits.requestTimeout)
        guard timeout >= grace else { return [] }
        return [
            "limits.request_timeout (\(timeout)) is not below shutdown.grace (\(grace)): a stop may cut requests off "
                + "whose bodies are still coming"
        ]
    }

    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let prefix = "LANDFALL_"
        let known = (Setting.all.map(\.environmentVariable) + otherVariables).map {
            $0.dropFirst(prefix.count)
        }
        // What all names begin with must not make them alike.
        let ours = environment.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        return ours.filter { !known.contains($0) }.sorted().map { name in
            let meant = closestName(to: String(name), among: known.map(String.init))
            let suggestion = meant.map { "; did you mean \(prefix)\($0)?" } ?? ""
            return "the environment variable \(prefix)\(name) is no setting and has no effect\(suggestion)"
        }
    }

    private static func unknownKeys(_ file: ConfigurationFile?) -> [String] {
        guard let file else { return [] }
        let known = Setting.all.map(\.name)
        return file.keys.filter { !known.contains($0) }.map { name in
            let suggestion = closestName(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            return "\(name) in \(file.path) is no setting and has no effect\(suggestion)"
        }
    }
}
