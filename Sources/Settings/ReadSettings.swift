internal import Foundation

/// The values of settings and their origins: flags take precedence over environment,
/// credentials, file and defaults, in this order.
public struct ReadSettings<Values: Sendable>: Sendable {
    public let values: Values
    /// The origins by name; settings with their default are omitted.
    public let origins: [String: SettingOrigin]
    /// The configuration file; `nil` if none was named.
    public let file: ConfigurationFile?

    /// One source of values. A file may contain numbers and booleans directly.
    private struct Layer {
        let value: (Setting<Values>) -> Any?
        let origin: (Setting<Values>) -> SettingOrigin
    }

    /// - Parameters:
    ///   - settings: the settings to read. Other variables and names in the file are ignored.
    ///   - flags: the values on the command line, by the names of the settings.
    ///   - file: a JSON file; `nil` for the one that `LANDFALL_CONFIG` names, if any.
    ///   - credentials: a folder with one file for each value; `nil` for the one that systemd names in
    ///     `CREDENTIALS_DIRECTORY`, if any.
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
        let (members, folder) = (file?.values ?? [:], credentials ?? environment["CREDENTIALS_DIRECTORY"])
        let layers = [
            Layer(value: { flags[$0.name] }, origin: { .init(kind: "flag", place: $0.flag ?? $0.name) }),
            Layer(
                value: { environment[$0.environmentVariable] },
                origin: { .init(kind: "environment", place: $0.environmentVariable) }),
            Layer(
                value: { setting in folder.flatMap { Self.credential(setting.name, in: $0) } },
                origin: { .init(kind: "credential", place: "\(folder ?? "")/\($0.name)") }),
            Layer(
                value: { members[$0.name] }, origin: { .init(kind: "file", place: "\(path) (\($0.name))") }),
        ]

        var values = defaults
        var origins: [String: SettingOrigin] = [:]
        for setting in settings {
            for layer in layers {
                // An empty text counts as absent.
                guard let value = layer.value(setting), !(value is NSNull), value as? String != "" else {
                    continue
                }
                let origin = layer.origin(setting)
                origins[setting.name] = origin
                let text = setting.form.text(of: value)
                if let text, setting.write(text, &values) { break }
                let found = text.map(setting.problems) ?? []
                problems += found.map { "\(origin): \(setting.name): \($0)" }
                guard found.isEmpty else { break }
                let given = setting.secrecy == .open ? text.map { ", not \"\($0)\"" } ?? "" : ""
                problems.append("\(origin): \(setting.name) must be \(setting.expectation)\(given)")
                break
            }
        }
        for setting in settings {
            guard let origin = origins[setting.name], let excluded = setting.excluded,
                let other = origins[excluded]
            else { continue }
            problems.append(
                "\(other): \(excluded) cannot be set next to \(setting.name) (\(origin)): leave one of them out"
            )
        }
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
        self.values = values
        self.origins = origins
        self.file = file
    }

    public func origin(of setting: Setting<Values>) -> SettingOrigin { origins[setting.name] ?? .standard }

    /// A folder with one file for each value, named like the setting: `database.url`. systemd's
    /// `LoadCredential=landfall:FOLDER` passes it on with `landfall_` before each name (systemd.exec(5)).
    private static func credential(_ name: String, in folder: String) -> String? {
        let files = ["\(folder)/landfall_\(name)", "\(folder)/\(name)"].lazy
        return files.compactMap { FileManager.default.contents(atPath: $0) }.first.map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }
}

extension Setting.Form {
    /// The value of a source as text; `nil` if it is not a single value of this type, such as a list.
    fileprivate func text(of value: Any) -> String? {
        if let text = value as? String { return text }
        return switch self {
        case .text: nil
        case .number: (value as? Int).map { "\($0)" } ?? (value as? Double).map(Setting<Values>.plain)
        case .toggle: (value as? Bool).map { "\($0)" }
        case .cells:
            (value as? [Any]).flatMap { try? JSONSerialization.data(withJSONObject: $0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

/// The source of a value.
public struct SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The word for programs: `flag`, `environment`, `credential`, `file` or `default`.
    public let kind: String
    /// The flag, variable or file; empty for a default.
    let place: String

    static let standard = SettingOrigin(kind: "default", place: "")

    public var description: String { place.isEmpty ? kind : "\(kind) \(place)" }
}

/// Every problem with the settings at once.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence each: the source, the problem and the valid values.
    public let problems: [String]

    public var description: String { problems.joined(separator: "\n") }
}

/// A JSON file of settings: either nested objects, or names with dots. `{"limits": {"items": 5000},
/// "log.level": "info"}`
public struct ConfigurationFile: Sendable {
    /// Names the file if no flag does.
    public static let environmentVariable = "LANDFALL_CONFIG"

    public let path: String
    /// Values by their names with dots.
    let values: [String: any Sendable]

    /// The names of all values, sorted.
    public var keys: [String] { values.keys.sorted() }

    /// - Throws: ``SettingsError`` if the file cannot be read or is not a JSON object.
    init(path: String) throws(SettingsError) {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw SettingsError(problems: [
                "the configuration file \(path) cannot be read: check its path and its permissions"
            ])
        }
        guard let object = try? JSONSerialization.jsonObject(with: content) as? [String: any Sendable] else {
            throw SettingsError(problems: [
                "the configuration file \(path) must be one JSON object, such as {\"limits\": {\"items\": 5000}}"
            ])
        }
        self.path = path
        values = Self.values(in: object, below: "")
    }

    private static func values(
        in object: [String: any Sendable], below path: String
    ) -> [String: any Sendable] {
        object.reduce(into: [:]) { values, member in
            if let inner = member.value as? [String: any Sendable] {
                values.merge(Self.values(in: inner, below: "\(path)\(member.key).")) { $1 }
            } else {
                values[path + member.key] = member.value
            }
        }
    }
}
