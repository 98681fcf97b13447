import ChildPrograms
import DeliveryModel
import Foundation
import People
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite("landfall annotate", .database) struct AnnotateCommandTests {
    private func withProgram(_ body: (LandfallProgram, App, PostgresConnection) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "annotations")
        defer { try? folder.remove() }
        let program = LandfallProgram(
            folder: folder.url, environment: TestDatabase.current.variables)
        let database = TestDatabase.current
        try database.numberFromOne()
        let connection = try database.connect()
        let app = try database.createApp("shop", on: connection)
        try body(program, app, connection)
    }

    @Test("an annotation is added, listed and removed, and each act recorded")
    func whole() throws {
        try withProgram { program, _, connection in
            let added = try program.run(
                "annotate", "add", "Build 212 released", "--app", "shop", "--at", "2026-11-20T09:00Z")
            #expect(added.status == 0 && added.output == "1\n", "\(added.notes)")
            let sale = try program.run(
                "annotate", "add", "Sale", "--at", "2026-11-21", "--until", "2026-11-23T10:30+01:00",
                "--campaign", "spring", "--tz", "Europe/Berlin")
            #expect(sale.output == "2\n", "\(sale.notes)")
            #expect(
                try program.run("annotate", "list", "--csv").output.split(whereSeparator: \.isNewline)
                    .dropFirst()
                    .map { $0.split(separator: ",").dropLast().joined(separator: ",") } == [
                        "shop,1,2026-11-20T09:00:00+00:00,Build 212 released,command line",
                        "shop,2,2026-11-20T23:00:00+00:00,2026-11-23T09:30:00+00:00,Sale,spring,command line",
                    ])
            let listed = try program.run("annotate", "list", "--from", "2026-11-22", "--json").output
            #expect(listed.contains("\"text\": \"Sale\"") && !listed.contains("Build 212"))
            #expect(try program.run("annotate", "list").output.contains("2026-11-20 09:00"))

            #expect(try program.run("annotate", "remove", "1", "--app", "shop").status == 0)
            let gone = try program.run("annotate", "remove", "1")
            #expect(gone.status == 1 && gone.notes.contains("app 'shop' has no annotation 1"))
            #expect(
                try Audit.list(on: connection).map { "\($0.app ?? "") \($0.act) \($0.subject)" } == [
                    "shop annotation_removed Build 212 released", "shop annotation_added Sale",
                    "shop annotation_added Build 212 released",
                ])
        }
    }

    @Test("without a time, an annotation is about now")
    func now() throws {
        try withProgram { program, app, connection in
            let before = Instant.now
            #expect(try program.run("annotate", "add", "Now").status == 0)
            let all = try Annotations.list(of: app, in: before..<(.now + .seconds(1)), on: connection)
            #expect(all.map(\.text) == ["Now"] && all.map(\.createdBy) == ["command line"])
        }
    }

    @Test("mistakes are named, and nothing is written")
    func mistakes() throws {
        try withProgram { program, _, connection in
            for arguments in [
                ["add"], ["add", "Sale", "--at", "noon"], ["add", "Sale", "--until", "2026-13-01"],
                ["list", "--from", "2026-03-02", "--to", "2026-03-01"], ["remove", "first"],
                ["add", "Sale", "--app", "shpo"],
            ] {
                let status = try program.run(["annotate"] + arguments).status
                #expect(status == 64, "\(arguments)")
            }
            for arguments in [
                ["add", "two\nlines"], ["add", "Sale", "--at", "2026-03-02", "--until", "2026-03-01"],
            ] {
                let status = try program.run(["annotate"] + arguments).status
                #expect(status == 1, "\(arguments)")
            }
            #expect(try Audit.list(on: connection) == [])
        }
    }
}
