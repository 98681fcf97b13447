internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Reports

struct PersonAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a person and print the link by which they set a passphrase.",
        discussion: """
            The link works once, within 24 hours, and is shown only once. A viewer reads reports. An \
            operator also decides about breakers and quarantine, and annotates. An admin also manages \
            people and keys, and erases.

              landfall person add ada@example.com --role viewer --app shop
              landfall person add grace --role admin --server https://push.example.com
            """)

    @Argument(help: "The e-mail address or user name.") var name: String

    @Option(help: .role, completion: .list(Role.names), transform: { try word($0, of: "role") })
    var role: Role

    @Option(
        name: .customLong("app"), parsing: .singleValue,
        help: .value(
            "An app that the role is for. May be repeated. Default: all apps, also those created later.",
            "slug"), completion: .apps)
    var slugs: [String] = []

    @OptionGroup var address: ServerAddressOption
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() throws {
        try database.withConnection { connection in
            let apps = try slugs.map { try App.chosen($0, on: connection) }
            let (person, link) = try connection.transaction { try add(with: apps, on: connection) }
            try address.write(link, for: person, connection)
        }
    }

    private func add(
        with apps: [App], on connection: PostgresConnection
    ) throws -> (person: Person, link: SignInLink) {
        let byApp = Dictionary(apps.map { ($0.appID, role) }) { role, _ in role }
        let grants = apps.isEmpty ? Grants(role) : Grants(byApp: byApp)
        let added = try PeopleDirectory.add(name, grants, now: .now, on: connection)
        let subject = "\(added.person.name), \(role.rawValue)"
        // An entry for each app, so that each app's admin finds it.
        for app in apps.isEmpty ? [nil] : apps.map(Optional.some) {
            try Audit.recordCommand("person_added", app: app, subject: subject, on: connection)
        }
        return added
    }
}

struct PersonLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Print a new link by which a person sets a passphrase.",
        discussion: """
            For a passphrase that is lost or known to others, and for a link that has expired: the present \
            passphrase and earlier links stop working, and all sessions of the person end.

              landfall person link ada@example.com
            """)

    @Argument(help: .personName, completion: .people) var name: String
    @OptionGroup var address: ServerAddressOption
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() throws {
        try database.withConnection { connection in
            let (person, link) = try connection.transaction {
                let link = try PeopleDirectory.newLink(for: name, now: .now, on: connection)
                guard let person = try PeopleDirectory.find(name, on: connection) else {
                    throw PeopleError.noSuchPerson(name)
                }
                try Audit.recordCommand("link_created", subject: person.name, on: connection)
                return (person, link)
            }
            try address.write(link, for: person, connection)
        }
    }
}

/// The address at which browsers reach the server.
struct ServerAddressOption: ParsableArguments {
    @Option(
        help: .value(
            "The address of the server for the link. Default: that of the server that was started last.",
            "url"))
    var server: String?

    func validate() throws {
        do {
            if let server { _ = try Profile.address(server) }
        } catch {
            throw ValidationError(sentence(error.description))
        }
    }

    func write(_ link: SignInLink, for person: Person, _ connection: PostgresConnection) throws {
        let address = try server ?? ConsoleAddress.read(on: connection) ?? "http://127.0.0.1:8080"
        try Stdout.write(lines: [try Profile.address(address) + link.path])
        note(
            "\(person.name) sets a passphrase with this link, once, until \(Words.time(link.expiresAt)). "
                + "It is shown only once.")
    }
}

struct PersonGrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Give a person a role in one app, or in all apps.",
        discussion: """
            It replaces the role that the person has there and takes effect immediately. If a person has a \
            role in an app and one in all apps, the higher one counts.

              landfall person grant ada@example.com --role operator --app shop
            """)

    @Argument(help: .personName, completion: .people) var name: String

    @Option(help: .role, completion: .list(Role.names), transform: { try word($0, of: "role") })
    var role: Role

    @OptionGroup var place: GrantedPlaceOptions

    func run() throws {
        try place.change("role_granted", to: role) {
            try PeopleDirectory.grant(role, in: $0, to: name, on: $1)
        }
    }
}

struct PersonRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a person's role in one app, or the role in all apps.",
        discussion: """
            It takes effect immediately. Other roles of the person stay, and are shown.

              landfall person revoke ada@example.com --app shop
            """)

    @Argument(help: .personName, completion: .people) var name: String
    @OptionGroup var place: GrantedPlaceOptions

    func run() throws {
        try place.change("role_revoked") { try PeopleDirectory.revokeGrant(in: $0, of: name, on: $1) }
    }
}

/// The database, and the app in it that a role is for.
struct GrantedPlaceOptions: ParsableArguments {
    @Option(
        help: .value("The app that the role is for. Default: all apps, also those created later.", "slug"),
        completion: .apps)
    var app: String?

    @OptionGroup(title: "Database") var database: DatabaseOptions

    /// Changes a person's role in a transaction, and notes the roles that they have then.
    ///
    /// - Parameter change: gets the app; `nil` for all apps.
    func change(
        _ act: String, to role: Role? = nil, _ change: (App?, PostgresConnection) throws -> Person
    ) throws {
        try database.withConnection { connection in
            let app = try app.map { try App.chosen($0, on: connection) }
            let person = try connection.transaction {
                let person = try change(app, connection)
                let subject = person.name + (role.map { ", \($0.rawValue)" } ?? "")
                try Audit.recordCommand(act, app: app, subject: subject, on: connection)
                return person
            }
            note(person.roles(in: try CellDirectory(connection).apps()))
        }
    }
}
