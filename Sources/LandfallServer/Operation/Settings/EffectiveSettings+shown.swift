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

    /// `{"settings":[{"name":…,"value":…,"origin":{"kind":…,"name":…},…}],"warnings":[…]}`
    public func json() throws -> String {
        let encoder = JSONEncoder.contract
        encoder.outputFormatting.insert(.prettyPrinted)
        let document = Document(
            settings: Setting.all.map { setting in
                Document.Row(
                    name: setting.name,
                    value: Document.Value(form: setting.form, text: setting.shown(setting.read(values))),
                    unit: setting.unit, origin: "\(origin(of: setting).kind)",
                    originDetail: "\(origin(of: setting))",
                    default: Document.Value(form: setting.form, text: setting.shown(setting.defaultText)),
                    environment: setting.environmentVariable, flag: setting.flag,
                    isSecret: setting.secrecy != .open, description: setting.summary)
            }, warnings: warnings)
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private struct Document: Encodable {
        struct Row: Encodable {
            let name: String
            let value: Value
            let unit: String
            let origin: String
            let originDetail: String
            let `default`: Value
            let environment: String
            let flag: String?
            let isSecret: Bool
            let description: String
        }

        struct Value: Encodable {
            let form: Setting.Form
            let text: String

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch form {
                case .text: try container.encode(text)
                case .toggle: try container.encode(text == "true")
                case .number:
                    if let number = Int(text) { return try container.encode(number) }
                    try container.encode(Double(text))
                }
            }
        }

        let settings: [Row]
        let warnings: [String]
    }
}
