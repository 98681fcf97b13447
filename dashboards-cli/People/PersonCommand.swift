internal import Access
internal import ArgumentParser
internal import Instants
internal import People
internal import PostgresClient
internal import Reports

/// `landfall person …`: manages the people who may sign in to the console.
struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Manage the people who may sign in to the console.",
        subcommands: [
            PersonAddCommand.self, PersonListCommand.self, PersonLinkCommand.self,
            PersonGrantCommand.self, PersonRevokeCommand.self, PersonRemoveCommand.self,
        ])
}

/// `landfall person list`: prints everyone with their roles.
struct PersonListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all people with their roles.",
        discussion: """
              landfall person list --json
            """)

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func run() throws {
        let list = try database.withConnection { connection in
            PersonList(
                people: try PeopleDirectory.list(on: connection), apps: try AppDirectory(connection).apps())
        }
        try output.write(json: list.document, csv: list.csv, table: { list.lines($0) })
        guard list.people.isEmpty else { return }
        try database.noteNothing("There is no person yet")
        note("landfall person add NAME --role viewer adds one.")
    }
}

/// `landfall person remove`: removes a person.
struct PersonRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a person, and sign them out everywhere.",
        discussion: """
            What they did stays in the audit, and pages that they shared stay shared.

              landfall person remove ada@example.com
            """)

    @Argument(help: .personName, completion: .people)
    var name: String

    @OptionGroup(title: "Database")
    var database: DatabaseOptions

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
    /// Records an act of this program in its transaction. If it has several transactions, call this before the first.
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
    /// The people in the database.
    static let people = custom { words, _, _ in
        CompletedLine(words).read { try PeopleDirectory.list(on: $0).map(\.name) }
    }
}
