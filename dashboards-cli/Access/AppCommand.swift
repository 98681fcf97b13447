internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Settings

struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Manage apps, to which all records belong.",
        subcommands: [
            AppCreateCommand.self, AppListCommand.self, AppShowCommand.self, AppSetCommand.self,
            AppMoveCommand.self,
        ])
}

struct AppCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an app.",
        discussion: """
            The name is what --app accepts: lowercase letters, digits, '.', '_' and '-'. Without --cell, the \
            app is created in the cell that had the fewest notifications in the last 7 days.

              landfall app create shop
            """)

    @Argument(help: "The name of the app, such as shop.") var slug: String
    @Flag(help: "Take over the name of an app that was never completed in a cell that is lost.")
    var takeOver = false
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Database") var cell: CellOption

    func run() throws {
        let app = try database.withDatabase { front in
            let home = try home(front)
            let directory = try front.connect(as: "which has the names of all apps")
            let number = home.cell ?? .front
            let role = "which --cell names (without it, the app is created in another)"
            let connection = try number == .front ? directory : home.connect(as: role)
            return try CellDirectory(directory).create(
                slug: slug, in: number, on: connection, at: .now, takesOver: takeOver,
                note: { try Audit.recordCommand("app_created", app: $0, on: connection) })
        }
        try Stdout.write(lines: [app.slug])
        note("Create its first key: landfall key create --app \(app.slug) --kind server")
    }

    /// The database of the named cell, or of the emptiest one that can be used.
    private func home(_ front: ChosenDatabase) throws -> ChosenDatabase {
        guard cell.cell == nil, front.cell != nil else { return try cell.database(of: database, front) }
        let cells = try CellState.all(database, front)
        for left in cells where left.notifications == nil {
            note("Cell \(left.address.cell) is left out: \(left.state)")
        }
        func size(_ cell: CellState) -> (Int64, Int64) { (cell.notifications ?? .max, cell.apps ?? 0) }
        let emptiest = cells.min { size($0) < size($1) }?.address.cell ?? .front
        note("Cell \(emptiest) is the emptiest.")
        return try database.home(of: emptiest, front)
    }
}

struct AppListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all apps.",
        discussion: """
              landfall app list --json
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let (apps, isSeveral) = try database.withDatabase { front in
            (try CellDirectory(front.connect()).apps(), front.cell != nil)
        }
        let columns = Listing<App>(
            .number("app_id") { $0.appID }, .text("slug", "App", group: 0, isName: true) { $0.slug },
            .init(
                heading: TextTable.Column("Id", group: 1),
                cell: { app, _ in TextTable.Cell(String(app.appID)) }),
            isSeveral ? .number("cell", "Cell", { Int64($0.cell.number) }) : .init())
        try output.write(columns, apps, as: "apps")
        guard apps.isEmpty else { return }
        try database.noteNothing("There is no app yet")
        note("landfall app create SLUG creates one.")
    }
}

struct AppSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of an app, or reset it to its default.",
        discussion: """
            Commands use the new value immediately, servers within seconds. landfall app show lists all \
            values.

              landfall app set --app shop stale_after_days 90
              landfall app set --app shop providers partner_a,partner_b
              landfall app set --app shop stale_after_days --unset

            Settings:

            \(AppSettings.help)
            """)

    @Argument(help: .value("The name of the setting.", "setting")) var name: String
    @Argument(help: .value("The new value.", "value")) var value: String?
    @Flag(help: "Reset the setting to its default.") var unset = false
    @OptionGroup var options: AppOptions

    func validate() throws {
        guard unset == (value == nil) else {
            throw ValidationError("Specify a value, or --unset to reset the setting to its default.")
        }
        // An unknown name can be unset, so that a setting written by hand can be removed.
        guard let value else { return }
        do {
            _ = try AppSetting.named(name).json(value)
        } catch {
            throw ValidationError(sentence(hint(error)))
        }
    }

    private func hint(_ error: AccessError) -> String {
        guard case .unknownSetting = error else { return "\(error), not '\(printable(value ?? ""))'" }
        let names = AppSetting.all.map(\.name)
        let hint = closestName(to: name, among: names).map { " (did you mean '\($0)'?)" }
        return "there is no setting '\(printable(name))'"
            + (hint ?? ": use one of \(names.joined(separator: ", "))")
    }

    func run() throws {
        let (settings, isChanged) = try options.withApp { app, connection in
            let directory = AppDirectory(connection)
            let before = try directory.settings(of: app)
            try connection.transaction {
                if let value { try directory.set(.named(name), to: value, of: app) }
                if unset { try directory.unset(name, of: app) }
                try Audit.recordCommand(
                    "setting_changed", app: app,
                    subject: value.map { "\(name) = \($0)" } ?? "\(name), default",
                    on: connection)
            }
            let after = try directory.settings(of: app)
            return (AppSettings(app: app, values: after), before != after)
        }
        try Stdout.write(lines: [settings.line(of: name)])
        if !isChanged { note("Nothing changed.") }
    }
}

struct AppShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the settings of an app, with their defaults and meanings.",
        discussion: """
              landfall app show --app shop
              landfall app show --json
            """)

    @OptionGroup var options: AppOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let settings = try options.withApp { app, connection in
            AppSettings(app: app, values: try AppDirectory(connection).settings(of: app))
        }
        try output.write(settings)
    }
}

/// An app's settings in every output format: all known ones, and its own that this version does not know.
struct AppSettings: CommandResult {
    let app: App
    /// The values by name, without those that have their default.
    let values: [String: String]

    private static let unknown = "not a setting of this version; landfall app set NAME --unset removes it"

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

    private var columns: Listing<AppSetting> {
        Listing(
            .text("name") { $0.name },
            .init(id: "value", value: { Self.json(values[$0.name] ?? $0.defaultText, $0.form) }),
            .init(id: "default", value: { Self.json($0.defaultText, $0.form) }),
            .init(id: "is_default", value: { .bool(values[$0.name] == nil) }),
            .text("description") { $0.summary })
    }

    var document: JSONValue {
        [
            "app": .string(app.slug), "settings": columns.json(AppSetting.all),
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
        Listing<AppSetting>(
            .constant("app", app.slug), .text("setting") { $0.name },
            .text("value") { values[$0.name] ?? $0.defaultText }, .text("default") { $0.defaultText },
            .init(id: "is_default", value: { .bool(values[$0.name] == nil) })
        ).csv(AppSetting.all)
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
