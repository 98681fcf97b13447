import Access
import ChildPrograms
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

/// Commands on several cells.
@Suite(.database, .oneCell("makes its own cells")) struct CellCommandTests {
    /// Cell 0 is the test's database, and cell 3 by default one that does not exist.
    private func withProgram(
        third: String = #""url":"host=/nonexistent dbname=x""#, _ body: (LandfallProgram) throws -> Void
    ) throws {
        let folder = try ThrowawayFolder.create(for: "cells")
        defer { try? folder.remove() }
        var program = LandfallProgram.onTestDatabase(in: folder.url)
        program.environment["LANDFALL_DATABASE_URL"] = nil
        program.environment["LANDFALL_DATABASE_CELLS"] =
            #"[{"cell":0,"url":"\#(TestDatabase.current.url)","schema":"\#(TestDatabase.schema)"},{"cell":3,\#(third)}]"#
        try body(program)
    }

    @Test("a cell that cannot be reached is a problem of its own, and the others are still done")
    func unreachable() throws {
        try withProgram { program in
            for arguments in [["verify", "--json"], ["maintain", "--json"]] {
                let ending = try program.run(arguments)
                #expect(ending.status == 1)
                #expect(
                    ending.output.hasPrefix("{\n  \"cell\": 0,") || ending.output.hasPrefix("{\"cell\": 0,"))
                let lines = ending.notes.split(separator: "\n").map(String.init)
                #expect(lines.contains("Cell 0:"))
                let third = try #require(lines.firstIndex(of: "Cell 3:"))
                #expect(lines[(third + 1)...].joined().contains("PostgreSQL cannot be reached"))
            }
        }
    }

    @Test("a command on an app of cell 0 does not need the others")
    func otherCell() throws {
        try withProgram { program in
            #expect(try program.run("app", "create", "shop").status == 0)
            #expect(try program.run("key", "create", "--app", "shop", "--kind", "server").status == 0)
            let ending = try program.run("verify", "--app", "shop")
            #expect(ending.status == 0)
            #expect(!ending.notes.contains("Cell"))
            #expect(try program.run("verify", "--app", "none").status == 64)
        }
    }

    @Test("a cell has to be added; then commands find its apps, and their keys name it")
    func added() throws {
        let (cell, schema) = (try #require(CellNumber(3)), try #require(SchemaName("landfall_3")))
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            let refused = try program.run("migrate")
            #expect(refused.status == 1)
            #expect(refused.notes.contains("cell 3 was never added: landfall cell add 3"))

            let front = try TestDatabase.current.connect()
            let connection = try PostgresConnection(url: url, schema: schema)
            try Migrator().migrate(connection)
            try cell.claim(connection, from: front)
            let app = try CellDirectory(front).create(slug: "garden", in: cell, on: connection, at: .now)

            #expect(try program.run("migrate").status == 0)
            let key = try program.run("key", "create", "--app", "garden", "--kind", "server")
            #expect(key.output.hasPrefix("lf_server_c3_"))
            #expect(try AppDirectory(connection).keys(of: app).map(\.kind) == ["server"])
            #expect(try AppDirectory(front).keys(of: app).isEmpty)
            let list = try program.run("app", "list", "--json")
            #expect(list.output.contains(#""slug": "garden", "cell": 3"#))
            #expect(try program.run("app", "show").output.contains("garden"))
            let verified = try program.run("verify", "--json")
            #expect(verified.status == 0)
            #expect(verified.output.contains("\"cell\": 0") && verified.output.contains("\"cell\": 3"))
        }
    }

    @Test("cell add makes a cell, may be repeated, and prints an entry of the list")
    func add() throws {
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            for _ in 0..<2 {
                let ending = try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
                #expect(ending.status == 0)
                #expect(ending.output == #"[{"cell":3,"url":"\#(url)","schema":"landfall_3"}]"# + "\n")
            }
            #expect(try program.run("app", "create", "garden", "--cell", "3").output == "garden\n")
            #expect(
                try program.run("app", "create", "garden", "--cell", "0").notes.contains("already exists"))
            let unnamed = try program.run("app", "create", "shop")
            #expect(unnamed.status == 64)
            #expect(unnamed.notes == "Error: An app is in one cell: --cell 0, --cell 3.\n")

            let list = try program.run("cell", "list", "--csv").output.split(separator: "\n")
            #expect(list.first == "cell,database,schema,apps,state")
            #expect(list.dropFirst().map { $0.hasSuffix("ready") } == [true, true])
            #expect(list.last?.hasPrefix("3,") == true && list.last?.hasSuffix(",landfall_3,1,ready") == true)

            let schema = TestDatabase.schema.text
            let same = try program.run("cell", "add", "4", "--database", url, "--schema", schema)
            #expect(same.status == 1)
            #expect(same.notes.contains("this schema is cell 0's"))
            let other = try program.run("cell", "add", "3", "--database", "host=elsewhere")
            #expect(other.status == 1)
            #expect(other.notes.contains("cell 3 is in database.cells with another url or schema"))
            #expect(try program.run("cell", "add", "0", "--database", url).status == 64)
            #expect(try program.run("cell", "add", "4", "--database", url, "--schema", "A").status == 64)
        }
    }

    @Test("app move plans, moves, and removes what is left")
    func move() throws {
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            func move(_ arguments: String...) throws -> LandfallProgram.Ending {
                try program.run(["app", "move", "shop"] + arguments)
            }
            #expect(
                try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3").status == 0)
            #expect(try program.run("app", "create", "shop", "--cell", "0").status == 0)
            #expect(try program.run("key", "create", "--app", "shop", "--kind", "server").status == 0)
            let nowhere = try move("--to", "7")
            #expect(nowhere.status == 64)
            #expect(nowhere.notes == "Error: There is no cell 7: use one of 0, 3 (landfall cell list).\n")
            #expect(try move("--to", "3", "--apply", "--abort").status == 64)
            let plan = try move("--to", "3", "--csv")
            #expect(plan.output.hasPrefix("app,rows,bytes,seconds\n"))
            #expect(plan.output.contains("\nshop,2,"))
            #expect(plan.notes.contains("Nothing was changed"))
            #expect(try move("--to", "0").status == 3)
            let early = try move("--to", "3", "--confirm")
            #expect(early.status == 3)
            #expect(early.notes.contains("so nothing may be removed"))
            #expect(try move("--to", "3", "--abort").status == 3)

            for _ in 0..<2 { #expect(try move("--to", "3", "--apply").status == 0) }
            #expect(try program.run("app", "list", "--json").output.contains(#""slug": "shop", "cell": 3"#))
            let key = try program.run("key", "create", "--app", "shop", "--kind", "device")
            #expect(key.output.hasPrefix("lf_device_c3_"))
            #expect(try program.run("verify", "--app", "shop").status == 0)
            #expect(try move("--to", "3", "--confirm").status == 0)
            let done = try move("--to", "3", "--confirm")
            #expect(done.status == 3)
            #expect(done.notes.contains("no other has rows of it"))
            #expect(try move("--to", "0", "--apply").status == 0)
            #expect(try program.run("app", "list", "--json").output.contains(#""slug": "shop", "cell": 0"#))
        }
    }

    @Test("a backup is of one cell, and the message names those that there are")
    func backup() throws {
        try withProgram { program in
            for arguments in [["backup", "x"], ["backup", "x", "--cell", "7"]] {
                let ending = try program.run(arguments)
                #expect(ending.status == 64)
                #expect(
                    ending.notes == "Error: A backup is of one cell: --cell 0, --cell 3.\n")
            }
        }
    }

    @Test("--database next to the list is an error that says what to leave out")
    func twoSettings() throws {
        try withProgram { program in
            let ending = try program.run("verify", "--database", "host=h")
            #expect(ending.status == 64)
            #expect(
                ending.notes
                    == "Error: flag --database: database.url cannot be set next to database.cells (environment LANDFALL_DATABASE_CELLS): leave one of them out\n"
            )
        }
    }
}
