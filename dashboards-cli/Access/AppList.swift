internal import Access
internal import Documents
internal import Rendering
internal import Reports

/// The apps in every output format.
enum AppList {
    static func document(_ apps: [App]) -> JSONValue {
        ["apps": .array(apps.map { ["app_id": .integer($0.appID), "slug": .string($0.slug)] })]
    }

    static func csv(_ apps: [App]) -> CSVText {
        var text = CSVText(header: ["app_id", "slug"])
        for app in apps { text.append([.integer(app.appID), .text(app.slug)]) }
        return text
    }

    static func lines(_ apps: [App], _ style: OutputStyle) -> [String] {
        var table = TextTable([.init("App", isNumber: false, group: 0, isName: true), .init("Id", group: 1)])
        table.rows = apps.map { [.init($0.slug), .init(String($0.appID))] }
        return table.lines(style)
    }
}
