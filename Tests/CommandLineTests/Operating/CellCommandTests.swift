import ChildPrograms
import TestDatabase
import Testing

/// Commands on several cells.
@Suite(.database) struct CellCommandTests {
    /// Cell 0 is the test's database, and cell 3 a database that does not exist.
    private func withProgram(_ body: (LandfallProgram) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "cells")
        defer { try? folder.remove() }
        var program = LandfallProgram.onTestDatabase(in: folder.url)
        program.environment["LANDFALL_DATABASE_URL"] = nil
        program.environment["LANDFALL_DATABASE_CELLS"] =
            #"[{"cell":0,"url":"\#(TestDatabase.current.url)","schema":"\#(TestDatabase.schema)"},{"cell":3,"url":"host=/nonexistent dbname=x"}]"#
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

    @Test("a backup is of one cell, and the message names those that there are")
    func backup() throws {
        try withProgram { program in
            for arguments in [["backup", "x"], ["backup", "x", "--cell", "7"]] {
                let ending = try program.run(arguments)
                #expect(ending.status == 64)
                #expect(
                    ending.notes == "Error: A backup is of one cell: --cell 0, --cell 3. Back up each.\n")
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
