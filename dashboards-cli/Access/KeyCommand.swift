internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Trust
internal import Vault

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Manage keys of servers, devices, readers and hooks.",
        subcommands: [
            KeyCreateCommand.self, KeyImportCommand.self, KeyListCommand.self, KeyRevokeCommand.self,
        ])
}

/// Prints only the new key, so that the output can be assigned to a variable or written to a file.
struct KeyCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key and print it.",
        discussion: """
            The key is shown only once. A server key posts all events, registers and erases devices, and \
            reads the token feeds. A device key posts device events and registers the device; it reads \
            nothing. A report key reads the reports over HTTP (GET /v1/reports/…) and nothing else. A hook \
            key posts what other senders' hooks post (POST /v1/intake/…) and nothing else: only it may be in \
            an address. With an account key, your backend proves which account a device belongs to; with a receipt key, it \
            signs the notifications it sends (landfall sign). These two open no route. To replace one, \
            create a second, let your backend sign with it, and revoke the first.

              LANDFALL_KEY=$(landfall key create --app shop --kind server)
              landfall key create --app shop --kind receipt
            """)

    @Option(
        help: "The kind of key: server, device, report, hook, account or receipt.", completion: .list(kinds),
        transform: read)
    var kind: String

    @OptionGroup var options: AppOptions

    func run() throws {
        let (text, app) = try options.database.withDatabase { front in
            let (app, database, connection) = try options.database.find(options.app, in: front)
            return (try create(for: app, in: database, connection), app)
        }
        try Stdout.write(lines: [text])
        note("Save this \(kind) key of \(app.slug) now: it is shown only once.")
    }

    private func create(
        for app: App, in database: ChosenDatabase, _ connection: PostgresConnection
    ) throws -> String {
        let directory = AppDirectory(connection)
        if let kind = APIKey.Kind(rawValue: kind) {
            return try connection.transaction {
                let key = try directory.createKey(kind: kind, for: app, at: .now)
                try Audit.recordCommand(
                    "key_created", app: app, subject: "\(kind.rawValue) \(key.prefix)…", on: connection)
                return key.text
            }
        }
        guard let kind = SigningKey.Kind(rawValue: kind) else {
            preconditionFailure("read() knows the kinds")
        }
        let vault = try TokenVault.ofServer(
            connection, options.database.settings(), makesKey: database.isPrivate)
        return try connection.transaction {
            try Audit.recordCommand("key_created", app: app, subject: kind.rawValue, on: connection)
            return try directory.createSigningKey(kind: kind, for: app, vault: vault, at: .now)
        }
    }

    private static let kinds = APIKey.Kind.allCases.map(\.rawValue) + SigningKey.Kind.allCases.map(\.rawValue)

    private static func read(_ text: String) throws -> String {
        guard kinds.contains(text) else {
            throw ValidationError("The kind of a key is one of \(kinds.joined(separator: ", ")).")
        }
        return text
    }
}

struct KeyListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of an app, including revoked ones.",
        discussion: """
            Only the first characters of each key are known.

              landfall key list --app shop
            """)

    @OptionGroup var options: AppOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let (app, keys) = try options.withApp { app, connection in
            (app, try AppDirectory(connection).keys(of: app))
        }
        let columns = Listing<StoredKey>(
            .constant("app", app.slug), .number("key_id", "Id") { $0.keyID },
            .text("kind", "Kind") { $0.kind },
            .text("prefix", "Begins with", shown: { $0.prefix + $1.ellipsis }) { $0.prefix },
            .instant("created_at", "Created (UTC)") { $0.createdAt },
            .instant("revoked_at", "Revoked (UTC)", ink: .trouble) { $0.revokedAt })
        try output.write(columns, keys, as: "keys", of: app)
        if keys.isEmpty { try options.database.noteNothing("There is no key of app \(app.slug)") }
    }
}

struct KeyRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a key.",
        discussion: """
            Servers stop accepting the key within a few seconds. What was posted with it stays.

              landfall key revoke 3 --app shop
            """)

    @Argument(help: .value("The number of the key, as in 'landfall key list'.", "id")) var keyID: Int64
    @OptionGroup var options: AppOptions

    func run() throws {
        let app = try options.withApp { app, connection in
            try connection.transaction {
                try AppDirectory(connection).revokeKey(keyID, of: app, at: .now)
                try Audit.recordCommand("key_revoked", app: app, subject: "key \(keyID)", on: connection)
            }
            return app
        }
        note("Key \(keyID) of \(app.slug) is revoked.")
    }
}
