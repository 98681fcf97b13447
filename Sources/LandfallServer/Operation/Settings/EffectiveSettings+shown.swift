internal import Documents
internal import Foundation
internal import Settings
internal import Wording

/// The output of `landfall-server config`. It contains no secrets.
extension EffectiveSettings {
    /// One line per setting: name, value, unit, origin.
    public var table: String {
        let rows = Setting.all.map { setting in
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

    /// `{"settings":[{"name":…,"value":…,"origin":…,"origin_detail":…,…}],"warnings":[…]}`; `flag` only if there is one.
    public var json: String {
        let settings: [JSONValue] = Setting.all.map { setting in
            let origin = origin(of: setting)
            let flag: [JSONValue.Member] = setting.flag.map { [.init("flag", .string($0))] } ?? []
            let members: [JSONValue.Member] =
                [
                    .init("name", .string(setting.name)),
                    .init("value", setting.form.json(setting.shown(setting.read(values)))),
                    .init("unit", .string(setting.unit)),
                    .init("origin", .string("\(origin.kind)")),
                    .init("origin_detail", .string("\(origin)")),
                    .init("default", setting.form.json(setting.shown(setting.defaultText))),
                    .init("environment", .string(setting.environmentVariable)),
                ] + flag + [
                    .init("is_secret", .bool(setting.secrecy != .open)),
                    .init("description", .string(setting.summary)),
                ]
            return .object(members)
        }
        let document: JSONValue = [
            "settings": .array(settings), "warnings": .array(warnings.map { .string($0) }),
        ]
        return document.indentedText
    }
}

extension Setting.Form {
    fileprivate func json(_ text: String) -> JSONValue {
        switch self {
        case .text: .string(text)
        case .toggle: .bool(text == "true")
        case .number: Int64(text).map { .integer($0) } ?? .optional(Double(text))
        }
    }
}
