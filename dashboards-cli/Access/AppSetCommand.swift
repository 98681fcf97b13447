internal import Access
internal import ArgumentParser
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// `landfall app set`: changes a setting of one app.
struct AppSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a setting of an app, or reset it to its default.",
        discussion: """
            Commands use the new value immediately, servers within seconds. landfall app show lists all \
            values.

              landfall app set --app shop stale_after_days 90
              landfall app set --app shop providers partner_a,partner_b
              landfall app set --app shop stale_after_days --unset

            Settings:

            \(AppSettings.help)
            """)

    @Argument(help: ArgumentHelp("The name of the setting.", valueName: "setting"))
    var name: String

    @Argument(help: ArgumentHelp("The new value.", valueName: "value"))
    var value: String?

    @Flag(help: "Reset the setting to its default.")
    var unset = false

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
        return closestName(to: name, among: names).map {
            "there is no setting '\(printable(name))' (did you mean '\($0)'?)"
        }
            ?? "there is no setting '\(printable(name))': use one of \(names.joined(separator: ", "))"
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

/// `landfall app show`: prints an app's settings.
struct AppShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings of an app, with their defaults and meanings.",
        discussion: """
              landfall app show --app shop
              landfall app show --json
            """)

    @OptionGroup var options: AppOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func run() throws {
        let settings = try options.withApp { app, connection in
            AppSettings(app: app, values: try AppDirectory(connection).settings(of: app))
        }
        try output.write(json: settings.document, csv: settings.csv, table: { settings.lines($0) })
    }
}
