import ArgumentParser
import ChildPrograms
import Foundation
import People
import PostgresClient
import TestDatabase
import Testing

@testable import Dashboards

@Suite("landfall person", .database) struct PersonCommandTests {
    private func withProgram(_ body: (LandfallProgram, PostgresConnection) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "people")
        defer { try? folder.remove() }
        let program = LandfallProgram(
            folder: folder.url, environment: TestDatabase.current.variables)
        let database = TestDatabase.current
        for slug in ["shop", "news"] { _ = try database.createApp(slug, on: database.connect()) }
        try body(program, database.front.connect())
    }

    private func secret(in ending: LandfallProgram.Ending, server: String) throws -> Secret {
        let link = ending.output.trimmingCharacters(in: .newlines)
        #expect(link.hasPrefix(server + "/sign-in/link/"))
        return try #require(Secret(text: String(link.suffix(43))))
    }

    private func acts(_ connection: PostgresConnection) throws -> [String] {
        try Audit.list(on: connection).reversed().map { entry in
            #expect(entry.name == "command line" && entry.personID == nil)
            return "\(entry.act) \(entry.app ?? "-") \(entry.subject)"
        }
    }

    @Test("add prints a link that sets the passphrase, and link replaces it")
    func links() throws {
        try withProgram { program, connection in
            let added = try program.run("person", "add", "Ada@Example.com", "--role", "viewer")
            #expect(added.status == 0 && added.notes.contains("It is shown only once."), "\(added.notes)")
            let first = try secret(in: added, server: "http://127.0.0.1:8080")
            let opened = try #require(try PeopleDirectory.openLink(first, now: .now, on: connection))
            #expect(opened.person.grants == Grants(.viewer) && opened.person.name == "ada@example.com")

            let again = try program.run(
                "person", "link", "ada@example.com", "--server", "https://push.example.com/")
            let second = try secret(in: again, server: "https://push.example.com")
            #expect(try PeopleDirectory.openLink(first, now: .now, on: connection) == nil)
            #expect(try PeopleDirectory.openLink(second, now: .now, on: connection) != nil)
            #expect(
                try acts(connection) == [
                    "person_added - ada@example.com, viewer", "link_created - ada@example.com",
                ])
        }
    }

    @Test("the link has the address of the running server")
    func address() async throws {
        let folder = try ThrowawayFolder.create(for: "people-server")
        defer { try? folder.remove() }
        let database = TestDatabase.current.variables
        let server = try await ServerProgram.start(
            try ServerProgram.executable(), dataFolder: folder.url,
            variables: database.merging(["LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]) { $1 })
        defer { server.stop() }
        let program = LandfallProgram(folder: folder.url, environment: database)
        _ = try secret(in: program.run("person", "add", "ada", "--role", "viewer"), server: server.address)
        _ = try secret(in: program.run("person", "link", "ada"), server: server.address)
    }

    @Test("roles are granted and revoked by app, and what remains is shown")
    func roles() throws {
        try withProgram { program, connection in
            let added = try program.run(
                "person", "add", "ada", "--role", "viewer", "--app", "shop", "--app", "news")
            #expect(added.status == 0, "\(added.notes)")
            let granted = try program.run("person", "grant", "Ada", "--role", "operator", "--app", "news")
            #expect(granted.notes == "ada is operator in news and viewer in shop now.\n")
            #expect(
                try program.run("person", "grant", "ada", "--role", "admin").notes
                    == "ada is admin in all apps, operator in news and viewer in shop now.\n")
            #expect(try program.run("person", "revoke", "ada").status == 0)
            #expect(try program.run("person", "revoke", "ada", "--app", "news").status == 0)
            let last = try program.run("person", "revoke", "ada", "--app", "shop")
            #expect(last.notes == "ada has no role now, and can be removed.\n")
            #expect(try program.run("person", "remove", "ada").status == 0)
            #expect(try PeopleDirectory.list(on: connection) == [])
            #expect(
                try acts(connection) == [
                    "person_added shop ada, viewer", "person_added news ada, viewer",
                    "role_granted news ada, operator", "role_granted - ada, admin",
                    "role_revoked - ada", "role_revoked news ada", "role_revoked shop ada",
                    "person_removed - ada",
                ])
        }
    }

    @Test("the list has a row for every role, in every format")
    func list() throws {
        try withProgram { program, _ in
            let empty = try program.run("person", "list")
            #expect(empty.status == 0 && empty.notes.contains("There is no person yet"))
            #expect(try program.run("person", "add", "bob", "--role", "admin").status == 0)
            #expect(
                try program.run("person", "grant", "bob", "--role", "viewer", "--app", "shop").status == 0)
            let table = try program.run("person", "list").output
            #expect(table.contains("all apps") && table.contains("not set yet"))
            #expect(
                try program.run("person", "list", "--csv").output
                    == "name,app,role,has_passphrase\r\nbob,,admin,false\r\nbob,shop,viewer,false\r\n")
            let json = try program.run("person", "list", "--json").output
            #expect(json.contains("\"app\": null") && json.contains("\"has_passphrase\": false"))
        }
    }

    @Test("mistakes are named, and nothing is recorded")
    func mistakes() throws {
        try withProgram { program, connection in
            let unknown = try program.run("person", "link", "eve")
            #expect(unknown.status == 1 && unknown.notes.contains("there is no person 'eve'"))
            #expect(unknown.notes.contains("Searched:"))
            let app = try program.run("person", "add", "ada", "--role", "viewer", "--app", "shpo")
            #expect(app.status == 64 && app.notes.contains("did you mean 'shop'?"), "\(app.notes)")
            for arguments in [
                ["add", "ada"], ["add", "ada", "--role", "root"],
                ["add", "ada", "--role", "viewer", "--server", "push.example.com"],
                ["grant", "ada"],
            ] {
                #expect(try program.run(["person"] + arguments).status == 64, "\(arguments)")
            }
            #expect(try program.run("person", "add", "ada lovelace", "--role", "viewer").status == 1)
            #expect(try acts(connection) == [] && PeopleDirectory.list(on: connection) == [])
        }
    }
}
