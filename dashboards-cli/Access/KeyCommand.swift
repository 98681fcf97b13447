internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Instants

/// `landfall key …`: manages the keys of servers, devices and readers of reports.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys of servers, devices and readers of reports.",
        subcommands: [KeyCreateCommand.self, KeyListCommand.self, KeyRevokeCommand.self])
}

/// `landfall key create`: prints the new key and nothing else, so that the output can be
/// assigned to a variable or written to a file.
struct KeyCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a key and print it.",
        discussion: """
            The key is shown only once: the database keeps only its digest. A server key posts all events, \
            registers and erases devices, and reads the token feeds. A device key posts device events and \
            registers the device; it reads nothing. A report key reads the reports over HTTP (GET \
            /v1/reports/…) and nothing else.

              LANDFALL_KEY=$(landfall key create --app shop --kind server)
            """)

    @Option(
        help: "The kind of key: server, device or report.",
        completion: .list(APIKey.Kind.allCases.map(\.rawValue)), transform: read)
    var kind: APIKey.Kind

    @OptionGroup var options: AppOptions

    func run() throws {
        let (key, app) = try options.withApp { app, connection in
            (try AppDirectory(connection).createKey(kind: kind, for: app, at: .now), app)
        }
        try Stdout.write(lines: [key.text])
        note("Save this \(kind.rawValue) key of \(app.slug) now: it is shown only once.")
    }

    private static func read(_ text: String) throws -> APIKey.Kind {
        guard let kind = APIKey.Kind(rawValue: text) else {
            throw ValidationError(
                "The kind of a key is one of "
                    + "\(APIKey.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return kind
    }
}

/// `landfall key list`: prints an app's keys by number and prefix.
struct KeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys of an app, including revoked ones.",
        discussion: """
            Only the first characters of each key are known.

              landfall key list --app shop
            """)

    @OptionGroup var options: AppOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func run() throws {
        let list = try options.withApp { app, connection in
            KeyList(app: app, keys: try AppDirectory(connection).keys(of: app))
        }
        try output.write(json: list.document, csv: list.csv, table: { list.lines($0) })
        if list.keys.isEmpty { try options.database.noteNothing("There is no key of app \(list.app.slug)") }
    }
}

/// `landfall key revoke`: ends a key.
struct KeyRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key.",
        discussion: """
            Servers stop accepting the key within a few seconds. What was posted with it stays.

              landfall key revoke 3 --app shop
            """)

    @Argument(help: ArgumentHelp("The number of the key, as in 'landfall key list'.", valueName: "id"))
    var keyID: Int64

    @OptionGroup var options: AppOptions

    func run() throws {
        let app = try options.withApp { app, connection in
            try AppDirectory(connection).revokeKey(keyID, of: app, at: .now)
            return app
        }
        note("Key \(keyID) of \(app.slug) is revoked.")
    }
}
