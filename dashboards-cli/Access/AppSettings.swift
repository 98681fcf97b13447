internal import Access
internal import Documents
internal import Rendering
internal import Reports

/// An app's settings in every output format: all known ones, and the app's own that this version does not know.
struct AppSettings {
    let app: App
    /// The values by name, without those that have their default.
    let values: [String: String]

    private static let unknown = "not a setting of this version; landfall app set NAME --unset removes it"

    /// The settings for `--help`.
    static var help: String {
        AppSetting.all.map { setting in
            let standard = setting.defaultText.isEmpty ? "none" : setting.defaultText
            return "  \(setting.name): \(setting.summary) \(setting.expectation.prefix(1).uppercased())"
                + "\(setting.expectation.dropFirst()). Default: \(standard)."
        }.joined(separator: "\n")
    }

    private var unknownNames: [String] {
        values.keys.filter { name in !AppSetting.all.contains { $0.name == name } }.sorted()
    }

    /// `stale_after_days 90 (default 60)`
    func line(of name: String) -> String {
        let standard = AppSetting.all.first { $0.name == name }?.defaultText ?? ""
        let known = standard.isEmpty ? "none" : standard
        return values[name].map { "\(printable(name)) \(printable($0)) (default \(known))" }
            ?? "\(printable(name)) \(known) (default)"
    }

    var document: JSONValue {
        let known: [JSONValue] = AppSetting.all.map { setting in
            [
                "name": .string(setting.name),
                "value": Self.json(values[setting.name] ?? setting.defaultText, setting.form),
                "default": Self.json(setting.defaultText, setting.form),
                "is_default": .bool(values[setting.name] == nil),
                "description": .string(setting.summary),
            ]
        }
        return [
            "app": .string(app.slug), "settings": .array(known),
            "unknown": .array(unknownNames.map { .string($0) }),
        ]
    }

    private static func json(_ text: String, _ form: AppSetting.Form) -> JSONValue {
        switch form {
        case .wholeNumber: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .number: Double(text).map(JSONValue.number) ?? .string(text)
        case .word: .string(text)
        case .words: .array(text.split(separator: ",").map { .string(String($0)) })
        }
    }

    var csv: CSVText {
        var text = CSVText(header: ["app", "setting", "value", "default", "is_default"])
        for setting in AppSetting.all {
            text.append([
                .text(app.slug), .text(setting.name), .text(values[setting.name] ?? setting.defaultText),
                .text(setting.defaultText), .text(values[setting.name] == nil ? "true" : "false"),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([
            .init("Setting", isNumber: false, group: 0), .init("Value", isNumber: false, group: 1),
            .init("Default", isNumber: false, group: 1),
        ])
        table.rows =
            AppSetting.all.map { setting in
                let own = values[setting.name]
                return [
                    .init(setting.name), .init(own ?? setting.defaultText, own == nil ? nil : .title),
                    .init(setting.defaultText),
                ]
            } + unknownNames.map { [.init($0, .trouble), .init(values[$0] ?? ""), .init("")] }
        let meanings =
            AppSetting.all.map { ($0.name, $0.summary) } + unknownNames.map { (printable($0), Self.unknown) }
        return [style.paint("Settings \(style.dot) \(printable(app.slug))", .title), ""] + table.lines(style)
            + [""]
            + meanings.flatMap { name, summary in
                ["  \(name)"] + folded(summary, indentation: 4, style).map { style.paint($0, .aside) }
            }
    }
}
