internal import Access
internal import ArgumentParser
internal import Instants
internal import People
internal import PostgresClient

/// `landfall person grant`: gives a person a role.
struct PersonGrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Give a person a role in one app, or in all apps.",
        discussion: """
            It replaces the role that the person has there and takes effect immediately. If a person has a \
            role in an app and one in all apps, the higher one counts.

              landfall person grant ada@example.com --role operator --app shop
            """)

    @Argument(help: .personName, completion: .people)
    var name: String

    @Option(help: .role, completion: .list(Role.names), transform: { try word($0, of: "role") })
    var role: Role

    @OptionGroup var place: GrantedAppOption

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    func run() throws {
        try database.withConnection { connection in
            let app = try place.app(on: connection)
            let person = try connection.transaction {
                let person = try PeopleDirectory.grant(role, in: app, to: name, on: connection)
                try Audit.recordCommand(
                    "role_granted", app: app, subject: "\(person.name), \(role.rawValue)", on: connection)
                return person
            }
            note(person.roles(in: try AppDirectory(connection).apps()))
        }
    }
}

/// `landfall person revoke`: ends a role.
struct PersonRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End a person's role in one app, or the role in all apps.",
        discussion: """
            It takes effect immediately. Other roles of the person stay, and are shown.

              landfall person revoke ada@example.com --app shop
            """)

    @Argument(help: .personName, completion: .people)
    var name: String

    @OptionGroup var place: GrantedAppOption

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    func run() throws {
        try database.withConnection { connection in
            let app = try place.app(on: connection)
            let person = try connection.transaction {
                let person = try PeopleDirectory.revokeGrant(in: app, of: name, on: connection)
                try Audit.recordCommand("role_revoked", app: app, subject: person.name, on: connection)
                return person
            }
            note(person.roles(in: try AppDirectory(connection).apps()))
        }
    }
}

/// The app that a role is for.
struct GrantedAppOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app that the role is for. Default: all apps, also those created later.", valueName: "slug"),
        completion: .apps)
    var app: String?

    /// `nil` for all apps.
    func app(on connection: PostgresConnection) throws -> App? {
        try app.map { try App.existing($0, on: connection) }
    }
}
