internal import Configuration
internal import Foundation

/// One source of values: the flags, the environment, the credentials or the file.
struct SettingLayer<Values: Sendable>: Sendable {
    enum Finding: Sendable {
        case value(String)
        /// Not a single value, such as a list.
        case unreadable
    }

    private let source: any ConfigSnapshot
    private let prefix: [String]
    private let origin: @Sendable (Setting<Values>) -> SettingOrigin

    /// - Parameter values: by the names of the settings.
    static func flags(_ values: [String: String]) -> SettingLayer {
        SettingLayer(source: snapshot(of: values), prefix: []) { .flag($0.flag ?? $0.name) }
    }

    /// A folder with one file for each value, named like the setting: `database.url`. systemd's `LoadCredential=landfall:FOLDER`
    /// passes such a folder on, and puts `landfall_` before each name (systemd.exec(5)).
    static func credentials(in folder: String, of settings: [Setting<Values>]) -> SettingLayer {
        var values: [String: String] = [:]
        for name in settings.map(\.name) {
            for file in ["\(folder)/\(name)", "\(folder)/landfall_\(name)"] {
                guard let content = FileManager.default.contents(atPath: file) else { continue }
                values[name] = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .newlines)
            }
        }
        return SettingLayer(source: snapshot(of: values), prefix: []) {
            .credential("\(folder)/\($0.name)")
        }
    }

    private static func snapshot(of values: [String: String]) -> any ConfigSnapshot {
        let pairs = values.map { (AbsoluteConfigKey($0.split(separator: ".").map(String.init)), $1) }
        let provider = InMemoryProvider(
            values: Dictionary(uniqueKeysWithValues: pairs).mapValues {
                ConfigValue(.string($0), isSecret: true)
            })
        return provider.snapshot()
    }

    static func environment(_ environment: [String: String]) -> SettingLayer {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        return SettingLayer(source: provider.snapshot(), prefix: ["landfall"]) {
            .environment($0.environmentVariable)
        }
    }

    static func file(_ file: ConfigurationFile) -> SettingLayer {
        SettingLayer(source: file.snapshot, prefix: []) { .file(path: file.path, key: $0.name) }
    }

    func origin(of setting: Setting<Values>) -> SettingOrigin { origin(setting) }

    /// Returns `nil` if this source has no value or an empty text. A file may contain numbers and booleans directly.
    func find(_ setting: Setting<Values>) -> Finding? {
        let key = AbsoluteConfigKey(prefix + setting.name.split(separator: ".").map(String.init))
        var wasRejected = false
        for type in [ConfigType.string] + setting.form.types {
            do {
                guard let value = try source.value(forKey: key, type: type).value else { return nil }
                guard let text = value.content.text else { continue }
                return text.isEmpty ? nil : .value(text)
            } catch {
                wasRejected = true
            }
        }
        return wasRejected ? .unreadable : nil
    }
}

extension Setting.Form {
    /// The types in which a file may contain the value, other than text.
    fileprivate var types: [ConfigType] {
        switch self {
        case .text: []
        case .number: [.int, .double]
        case .toggle: [.bool]
        }
    }
}

extension ConfigContent {
    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        default: nil
        }
    }
}
