internal import Basics
internal import Foundation
public import Settings
internal import Vault

/// The server's settings and the origin of each value, as ``ReadSettings`` finds them.
public struct EffectiveSettings: Sendable {
    private let found: ReadSettings<ServerConfiguration>
    /// Settings that are valid but most likely not intended.
    public let warnings: [String]

    /// Variables with our prefix that are not settings: the file's name and variables of the command line.
    private static let otherVariables = [
        ConfigurationFile.environmentVariable, "LANDFALL_KEY", TokenKey.nextEnvironmentVariable,
        "LANDFALL_BACKUP_PASSPHRASE", "LANDFALL_PROFILE",
    ]

    /// - Throws: ``SettingsError`` with all errors.
    public init(
        flags: [String: String] = [:], file: String? = nil, environment: [String: String]
    ) throws(SettingsError) {
        found = try ReadSettings(
            ServerSetting.all, defaults: .init(), flags: flags, file: file, environment: environment)
        warnings =
            Self.unknownVariables(environment) + Self.unknownKeys(found.file)
            + Self.shortGrace(found.values)
    }

    var values: ServerConfiguration { found.values }
    var origins: [String: SettingOrigin] { found.origins }
    public var logging: LogSettings { values.logging }

    func origin(of setting: ServerSetting) -> SettingOrigin { found.origin(of: setting) }

    func environment(over environment: [String: String]) -> [String: String] {
        found.environment(over: environment)
    }

    /// A request whose body is still arriving when the grace period ends is cut off.
    private static func shortGrace(_ values: ServerConfiguration) -> [String] {
        let (grace, timeout) = (values.shutdownGrace, values.limits.requestTimeout)
        guard timeout >= grace else { return [] }
        return [
            "limits.request_timeout (\(timeout)) is not below shutdown.grace (\(grace)): a stop may cut off "
                + "requests whose bodies are still arriving"
        ]
    }

    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let prefix = "LANDFALL_"
        let known = (ServerSetting.all.map(\.environmentVariable) + otherVariables).map {
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
        let known = ServerSetting.all.map(\.name)
        return file.keys.filter { !known.contains($0) }.map { name in
            let suggestion = closestName(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            return "\(name) in \(file.path) is not a setting and has no effect\(suggestion)"
        }
    }
}

/// The output of `landfall-server config`. It contains no secrets.
extension EffectiveSettings {
    /// One line per setting: name, value, unit, origin.
    public var table: String {
        let rows = ServerSetting.all.map { setting in
            let shown = setting.shown(setting.read(values)).controlsEscaped
            let value = shown.isEmpty ? "-" : shown
            return [
                setting.name, setting.unit.isEmpty ? value : "\(value) \(setting.unit)",
                "\(origin(of: setting))",
            ]
        }
        let widths = [0, 1].map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ") + "  " + row[2]
        }.joined(separator: "\n")
    }

    /// `{"settings":[{"name":…,"value":…,"origin":…,"origin_detail":…,…}],"warnings":[…]}`; `flag` if any.
    public var json: String {
        let settings: [JSONValue] = ServerSetting.all.map { setting in
            let origin = origin(of: setting)
            var members: [JSONValue.Member] = [
                .init("name", .string(setting.name)),
                .init("value", setting.form.json(setting.shown(setting.read(values)))),
                .init("unit", .string(setting.unit)), .init("origin", .string(origin.kind)),
                .init("origin_detail", .string("\(origin)")),
                .init("default", setting.form.json(setting.shown(setting.defaultText))),
                .init("environment", .string(setting.environmentVariable)),
            ]
            if let flag = setting.flag { members.append(.init("flag", .string(flag))) }
            members.append(.init("is_secret", .bool(setting.secrecy != .open)))
            members.append(.init("description", .string(setting.summary)))
            return .object(members)
        }
        let document: JSONValue = [
            "settings": .array(settings), "warnings": .array(warnings.map { .string($0) }),
        ]
        return document.indentedText
    }
}

extension ServerSetting.Form {
    fileprivate func json(_ text: String) -> JSONValue {
        switch self {
        case .text: .string(text)
        case .toggle: .bool(text == "true")
        case .number: Int64(text).map { .integer($0) } ?? .optional(Double(text))
        case .cells: (try? CellList(text))?.document() ?? []
        }
    }
}
