internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Manage the people who may sign in to the console.",
        subcommands: [
            PersonAddCommand.self, PersonListCommand.self, PersonLinkCommand.self,
            PersonGrantCommand.self, PersonRevokeCommand.self, PersonRemoveCommand.self,
        ])
}

struct PersonListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all people with their roles.",
        discussion: """
              landfall person list --json
            """)

    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let list = try database.withConnection { connection in
            PersonList(
                people: try PeopleDirectory.list(on: connection), apps: try CellDirectory(connection).apps())
        }
        try output.write(list)
        guard list.people.isEmpty else { return }
        try database.noteNothing("There is no person yet")
        note("landfall person add NAME --role viewer adds one.")
    }
}

struct PersonRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a person, and sign them out everywhere.",
        discussion: """
            What they did stays in the audit, and pages that they shared stay shared.

              landfall person remove ada@example.com
            """)

    @Argument(help: .personName, completion: .people) var name: String
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() throws {
        try database.withConnection { connection in
            try connection.transaction {
                try PeopleDirectory.remove(name, on: connection)
                try Audit.recordCommand("person_removed", subject: name, on: connection)
            }
        }
        note("\(name) is removed and signed out.")
    }
}

extension Audit {
    /// Records an act of this program in its transaction. If it has several, call this before the first.
    static func recordCommand(
        _ act: String, app: App? = nil, subject: String = "", on connection: PostgresConnection
    ) throws(PostgresError) {
        try record(nil, name: commandLine, act: act, app: app, subject: subject, on: connection)
    }
}

extension ArgumentHelp {
    static let personName = ArgumentHelp("The e-mail address or user name, in any case.", valueName: "name")
    static let role = ArgumentHelp("viewer, operator or admin.", valueName: "role")
}

extension Role {
    static let names = allCases.map(\.rawValue)
}

extension CompletionKind {
    static let people = custom { words, _, _ in
        CompletedLine(words).read { front, _ in try PeopleDirectory.list(on: front).map(\.name) }
    }
}

struct PersonList: CommandResult {
    let people: [Person]
    let apps: [App]

    var document: JSONValue { ["people": .array(people.map(json))] }

    private func json(_ person: Person) -> JSONValue {
        let roles = Listing<(app: String?, role: Role)>(
            .text("app") { $0.app }, .text("role") { $0.role.rawValue })
        return [
            "person_id": .integer(person.id), "name": .string(person.name),
            "has_passphrase": .bool(person.hasPassphrase), "roles": roles.json(person.grants.listed(apps)),
        ]
    }

    var csv: CSVText { Self.roles.csv(rows) }

    func lines(_ style: OutputStyle) -> [String] { Self.roles.table(rows, style).lines(style) }

    private typealias Row = (person: Person, app: String?, role: Role?)

    private static var roles: Listing<Row> {
        Listing(
            .text("name", "Name", group: 0, isName: true) { $0.person.name },
            .text("app", "App", shown: { row, _ in row.role == nil ? "" : row.app ?? "all apps" }) { $0.app },
            .text("role", "Role", shown: { row, _ in row.role?.rawValue ?? "none" }) { $0.role?.rawValue },
            .flag("has_passphrase", "Passphrase", ("set", "not set yet")) { $0.person.hasPassphrase })
    }

    /// One row per role; the app is `nil` for all apps. A person without a role has one row without it.
    private var rows: [Row] {
        people.flatMap { person -> [Row] in
            let roles = person.grants.listed(apps)
            return roles.isEmpty ? [(person, nil, nil)] : roles.map { (person, $0.app, $0.role) }
        }
    }
}

extension Grants {
    /// The role in all apps (whose app is `nil`), then those in single apps, in the order given.
    func listed(_ apps: [App]) -> [(app: String?, role: Role)] {
        let all: [(String?, Role)] = everywhere.map { [(nil, $0)] } ?? []
        return all + apps.compactMap { app in byApp[app.appID].map { (app.slug, $0) } }
    }
}

extension Person {
    /// `ada@example.com is viewer in all apps and admin in shop.`
    func roles(in apps: [App]) -> String {
        let roles = grants.listed(apps).map { "\($0.role.rawValue) in \($0.app ?? "all apps")" }
        return roles.isEmpty
            ? "\(name) has no role now, and can be removed." : "\(name) is \(Words.list(roles)) now."
    }
}
