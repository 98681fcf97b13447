/// The values of settings and their origins: flags take precedence over environment,
/// credentials, file and defaults, in this order.
public struct ReadSettings<Values: Sendable>: Sendable {
    public let values: Values
    /// The origins by name; settings with their default are omitted.
    public let origins: [String: SettingOrigin]
    /// The configuration file; `nil` if none was named.
    public let file: ConfigurationFile?

    /// - Parameters:
    ///   - settings: the settings to read. Other variables and names in the file are ignored.
    ///   - flags: the values on the command line, by the names of the settings.
    ///   - file: a JSON file; `nil` for the one that `LANDFALL_CONFIG` names, if any.
    ///   - credentials: a folder with one file for each value; `nil` for the one that systemd names in `CREDENTIALS_DIRECTORY`, if any.
    /// - Throws: ``SettingsError`` with every problem.
    public init(
        _ settings: [Setting<Values>], defaults: Values, flags: [String: String] = [:], file: String? = nil,
        credentials: String? = nil, environment: [String: String]
    ) throws(SettingsError) {
        var problems: [String] = []
        let path = file ?? environment[ConfigurationFile.environmentVariable] ?? ""
        var file: ConfigurationFile?
        do {
            if !path.isEmpty { file = try ConfigurationFile(path: path) }
        } catch {
            problems += error.problems
        }
        let folder = credentials ?? environment["CREDENTIALS_DIRECTORY"]
        let layers: [SettingLayer<Values>] = [
            .flags(flags), .environment(environment),
            folder.map { .credentials(in: $0, of: settings) }, file.map { .file($0) },
        ].compactMap(\.self)

        var values = defaults
        var origins: [String: SettingOrigin] = [:]
        for setting in settings {
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
        self.file = file
    }

    public func origin(of setting: Setting<Values>) -> SettingOrigin { origins[setting.name] ?? .standard }

    private static func take(
        _ found: SettingLayer<Values>.Finding, as setting: Setting<Values>, from origin: SettingOrigin,
        into values: inout Values
    ) -> String? {
        guard case .value(let text) = found else {
            return "\(origin): \(setting.name) must be \(setting.expectation)"
        }
        guard !setting.write(text, &values) else { return nil }
        let given = setting.secrecy == .open ? ", not \"\(text)\"" : ""
        return "\(origin): \(setting.name) must be \(setting.expectation)\(given)"
    }
}
