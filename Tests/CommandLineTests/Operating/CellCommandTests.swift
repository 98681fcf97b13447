import Access
import ChildPrograms
import DeliveryModel
import Foundation
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
            for (command, member) in [("verify", "notifications"), ("maintain", "days_made")] {
                let ending = try program.run(command, "--json")
                #expect(ending.status == 1)
                let cells = try self.cells(ending.output)
                #expect(cells.map { $0["cell"] as? Int } == [0, 3])
                #expect(cells.first?[member] is Int && cells.first?["error"] == nil)
                let error = try #require(cells.last?["error"] as? String)
                #expect(error.hasPrefix("PostgreSQL cannot be reached"))
                let lines = ending.notes.split(separator: "\n").map(String.init)
                #expect(lines.contains("Cell 0:"))
                let third = try #require(lines.firstIndex(of: "Cell 3:"))
                #expect(lines[(third + 1)...].joined().contains("PostgreSQL cannot be reached"))
            }
            let rows = try program.run("maintain", "--csv").output.split(separator: "\r\n")
            #expect(rows.first == "cell,step,count")
            #expect(rows.dropFirst().allSatisfy { $0.hasPrefix("0,") } && rows.count > 5)
        }
    }

    /// The entries of the one document of several cells.
    private func cells(_ output: String) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return try #require(document?["cells"] as? [[String: Any]])
    }

    @Test("the doctor's report of several cells is one, and a cell that cannot be reached is a finding")
    func doctor() throws {
        try withProgram { program in
            var program = program
            program.environment["LANDFALL_DATABASE_ALLOW_UNSAFE"] = "true"
            // Servers note in cell 0 what they saw, also if all apps are elsewhere.
            try TestDatabase.current.connect().execute(
                script: SQLFile(
                    name: "test/note",
                    text: """
                        INSERT INTO landfall.database_condition (name, source, noted_at, detail)
                        VALUES ('slow_statements', 'a:8080', now(), '{"byStatement":{"tokens/ledger/x":7}}')
                        """))
            let early = try program.run("doctor", "--json").output
            #expect(early.contains("slow_statements"))
            try TestDatabase.current.connect().execute(
                script: SQLFile(name: "test/forget", text: "DELETE FROM landfall.database_condition"))
            #expect(try program.run("app", "create", "shop", "--cell", "0").status == 0)
            let ending = try program.run("doctor", "--json")
            #expect(ending.status == 1)
            let report = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
            #expect(report?["problems"] as? Int == 1)
            #expect(report?["apps"] as? [String] == ["shop"])
            let findings = try #require(report?["findings"] as? [[String: Any]])
            #expect(findings.map { $0["id"] as? String } == ["cell_unavailable"])
            #expect(findings.map { $0["cell"] as? Int } == [3])
            let examined = try #require(report?["examined"] as? [[String: Any]])
            #expect(Set(examined.compactMap { $0["cell"] as? Int }) == [0, 3])

            let text = try program.run("doctor").output
            #expect(text.contains("problem | cell_unavailable | cell 3\n"))
            #expect(text.contains("\nExamined | cell 0\n") && text.contains("\nExamined | cell 3\n"))
            let rows = try program.run("doctor", "--csv").output.split(separator: "\r\n")
            #expect(rows.first?.hasPrefix("cell,app,id,") == true)
            #expect(rows.last?.hasPrefix("3,,cell_unavailable,problem,") == true)
            #expect(try program.run("doctor", "--html").output.contains("The database of cell 0"))

            let ofApp = try program.run("doctor", "--app", "shop", "--json")
            #expect(ofApp.status == 0)
            #expect(!ofApp.output.contains("\"cell\""))
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
            #expect(try cells(verified.output).map { $0["cell"] as? Int } == [0, 3])
            #expect(try cells(verified.output).allSatisfy { $0["report"] as? String == "verify" })
            let ofApp = try program.run("verify", "--app", "garden", "--json")
            #expect(ofApp.output.contains("\"cell\": 3") && !ofApp.output.contains("\"cells\""))
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

            let list = try program.run("cell", "list", "--csv").output.split(separator: "\r\n")
            #expect(
                list.first
                    == "cell,database,schema,migrations,apps,notifications,database_bytes,id_share,state")
            #expect(list.dropFirst().map { $0.hasSuffix(",ready") } == [true, true])
            #expect(list.last?.hasPrefix("3,") == true)
            #expect(list.last?.contains(",landfall_3,\(SQLFile.migrations.count),1,0,") == true)

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

    @Test("cell add takes back a cell that a restored cell 0 has forgotten, but none of another installation")
    func addAgain() throws {
        let url = TestDatabase.current.url
        let third = try #require(SchemaName("landfall_3"))
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            func add(_ key: UInt8) throws -> LandfallProgram.Ending {
                var program = program
                program.environment["LANDFALL_TOKEN_KEY"] =
                    Data(repeating: key, count: 32).base64EncodedString()
                return try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
            }
            #expect(try add(7).status == 0)
            #expect(try program.run("app", "create", "garden", "--cell", "3").status == 0)
            let forget = "DELETE FROM landfall.id_range; DELETE FROM landfall.app_cell"
            try run(forget, in: TestDatabase.schema)
            let other = try add(8)
            #expect(other.status == 1)
            #expect(other.notes.contains("this is not the token key of this database"))
            #expect(try add(7).status == 0)
            #expect(try program.run("app", "list", "--json").output.contains(#""slug": "garden", "cell": 3"#))

            try run(forget, in: TestDatabase.schema)
            try run("UPDATE landfall.setting SET value = '\\x01' WHERE name = 'token_key_check'", in: third)
            let foreign = try add(7)
            #expect(foreign.status == 1)
            #expect(foreign.notes.contains("sealed with another token key than those of cell 0"))
            let front = try TestDatabase.current.connect()
            let ranges = SQLFile(name: "test/ranges", text: "SELECT number FROM landfall.id_range")
            #expect(try front.query(ranges).count == 0)
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
            #expect(plan.output.hasPrefix("app,rows,bytes,seconds,frozen_seconds\r\n"))
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

    /// The range from which new rows of a schema get their ids.
    private func range(_ schema: SchemaName) throws -> Int64 {
        let connection = try PostgresConnection(url: TestDatabase.current.url, schema: schema)
        return try IDRange.current(on: connection).number
    }

    private func run(_ text: String, in schema: SchemaName) throws {
        try PostgresConnection(url: TestDatabase.current.url, schema: schema)
            .execute(script: SQLFile(name: "test", text: text))
    }

    @Test("a restored cell gets other ids, and a restored cell 0 learns those of the others")
    func restored() throws {
        let (front, third) = (TestDatabase.schema, try #require(SchemaName("landfall_3")))
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            var program = program
            program.environment["LANDFALL_BACKUP_PASSPHRASE"] = "correct horse"
            func restore(_ cell: String, _ schema: SchemaName) throws {
                try run("DROP SCHEMA \"landfall\" CASCADE; DROP SCHEMA report_v1 CASCADE", in: schema)
                let restored = try program.run("restore", "\(cell).backup", "--cell", cell)
                #expect(restored.status == 0, "\(restored.notes)")
            }
            #expect(try program.run("backup", "0.backup", "--cell", "0").status == 0)
            #expect(
                try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3").status == 0)
            #expect(try program.run("backup", "3.backup", "--cell", "3").status == 0)
            #expect(try [range(front), range(third)] == [0, 1])
            try restore("3", third)
            try restore("3", third)
            #expect(try [range(front), range(third)] == [0, 3])
            try restore("0", front)
            #expect(try [range(front), range(third)] == [4, 3])
            #expect(
                try program.run("cell", "add", "4", "--database", url, "--schema", "landfall_4").status == 0)
            let fourth = try #require(SchemaName("landfall_4"))
            #expect(try range(fourth) == 5)
        }
    }

    @Test("migrate gives a cell further ids before it needs them, or if it has those of another")
    func furtherIDs() throws {
        let (front, third) = (TestDatabase.schema, try #require(SchemaName("landfall_3")))
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            #expect(
                try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3").status == 0)
            #expect(try program.run("migrate").status == 0)
            #expect(try [range(front), range(third)] == [0, 1])
            try run("SELECT setval('landfall.token_token_id_seq', (7::bigint << 38) / 4)", in: third)
            #expect(try program.run("migrate").status == 0)
            #expect(try [range(front), range(third)] == [0, 2])

            try run("UPDATE landfall.id_range SET cell = 9 WHERE number = 2", in: front)
            let refused = try program.run("cell", "status", "--csv").output
            #expect(refused.contains("cell 3 uses the ids of cell 9: run landfall migrate"))
            #expect(try program.run("migrate").status == 0)
            #expect(try [range(front), range(third)] == [0, 3])
            #expect(try !program.run("cell", "status", "--csv").output.contains("cell 9"))
        }
    }

    @Test("an app that a restored cell has again is refused there, and can be removed")
    func olderCopy() throws {
        let (front, third) = (TestDatabase.schema, try #require(SchemaName("landfall_3")))
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            #expect(
                try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3").status == 0)
            #expect(try program.run("app", "create", "garden", "--cell", "3").status == 0)
            try run(
                """
                INSERT INTO landfall.app (app_id, slug, created_at, generation) OVERRIDING SYSTEM VALUE
                SELECT app_id, slug, now(), 1 FROM landfall.app_cell;
                DELETE FROM landfall.app_cell;
                """, in: front)
            let remark = "The app garden is in cell 0, and an older copy, from a backup, is refused: "
            #expect(try program.run("cell", "list").notes.contains(remark))
            #expect(try !program.run("cell", "list").notes.contains(remark))
            #expect(try program.run("app", "list", "--json").output.contains(#""slug": "garden", "cell": 0"#))
            #expect(try program.run("app", "move", "garden", "--to", "0", "--confirm").status == 0)
            let rows = try PostgresConnection(url: url, schema: third).query(
                SQLFile(name: "test/apps", text: "SELECT slug FROM landfall.app"))
            #expect(rows.count == 0)
        }
    }

    @Test("the name of an app that was never completed can be taken over from a lost cell")
    func takeOver() throws {
        try withProgram { program in
            try run("INSERT INTO landfall.app_cell (slug, cell) VALUES ('shop', 9)", in: TestDatabase.schema)
            let refused = try program.run("app", "create", "shop", "--cell", "0")
            #expect(refused.status == 1)
            #expect(refused.notes.contains("--take-over"))
            #expect(try program.run("app", "create", "shop", "--cell", "0", "--take-over").status == 0)
        }
    }

    @Test("app create says which cell is wrong or away, and reserves nothing")
    func createNowhere() throws {
        try withProgram { program in
            let wrong = try program.run("app", "create", "shop", "--cell", "7")
            #expect(wrong.status == 64)
            #expect(wrong.notes == "Error: There is no cell 7: use one of 0, 3 (landfall cell list).\n")
            let away = try program.run("app", "create", "shop", "--cell", "3", "--take-over")
            #expect(away.status == 1)
            #expect(
                away.notes.contains(
                    "the database of cell 3, which --cell names (without it, the app is created in another), cannot be reached: "
                ))
            let reserved = SQLFile(name: "test/reserved", text: "SELECT slug FROM landfall.app_cell")
            #expect(try TestDatabase.current.connect().query(reserved).count == 0)
            #expect(try program.run("app", "create", "shop").status == 0)

            var nowhere = program
            nowhere.environment["LANDFALL_DATABASE_CELLS"] =
                #"[{"cell":0,"url":"host=/nonexistent dbname=x"},{"cell":3,"url":"host=/nonexistent dbname=y"}]"#
            for arguments in [[], ["--cell", "0"], ["--cell", "3"]] {
                let ending = try nowhere.run(["app", "create", "garden"] + arguments)
                #expect(ending.status == 1)
                #expect(
                    ending.notes.contains(
                        "the database of cell 0, which has the names of all apps, cannot be reached: "))
            }
        }
    }

    @Test("a backup is of one cell, and the message names those that there are")
    func backup() throws {
        try withProgram { program in
            for (arguments, note) in [
                ([], "A backup is of one cell: name it with --cell (0, 3)."),
                (["--cell", "7"], "There is no cell 7: use one of 0, 3 (landfall cell list)."),
            ] as [([String], String)] {
                let ending = try program.run(["backup", "x"] + arguments)
                #expect(ending.status == 64)
                #expect(ending.notes == "Error: \(note)\n")
            }
        }
    }

    @Test("without --cell, an app is created in the emptiest cell that can be used")
    func emptiest() throws {
        try withProgram { program in
            let ending = try program.run("app", "create", "shop")
            #expect(ending.output == "shop\n")
            #expect(ending.notes.contains("Cell 3 is left out: PostgreSQL cannot be reached"))
            #expect(ending.notes.contains("Cell 0 is the emptiest.\n"))
        }
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            let added = try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
            #expect(added.status == 0)
            #expect(try program.run("app", "create", "garden").notes.contains("Cell 3 is the emptiest."))
            let connection = try PostgresConnection(url: url, schema: #require(SchemaName("landfall_3")))
            try connection.execute(
                script: SQLFile(
                    name: "test/counted",
                    text: """
                        INSERT INTO landfall.counter_live
                            (app_id, quarter, campaign_id, segment_id, response_id, state, shard, notifications)
                        SELECT app_id, date_bin('15 minutes', now() - age, '2001-01-01'), 1, 1, 1, 1, 0, number
                          FROM landfall.app,
                               (VALUES (interval '6 days', 5), (interval '8 days', 70)) AS sent (age, number)
                        """))
            #expect(try program.run("app", "create", "bank").notes.contains("Cell 0 is the emptiest."))

            let status = try cells(program.run("cell", "status", "--json").output)
            #expect(status.map { $0["state"] as? String } == ["ready", "ready"])
            #expect(status.map { $0["apps"] as? Int } == [2, 1])
            #expect(status.allSatisfy { $0["migrations"] as? Int == SQLFile.migrations.count })
            #expect(status.map { $0["notifications"] as? Int } == [0, 5])
            #expect(status.allSatisfy { ($0["database_bytes"] as? Int ?? 0) > 1 << 20 })
            #expect(status.allSatisfy { (0..<0.1).contains($0["id_share"] as? Double ?? 1) })
            let text = try program.run("cell", "status")
            #expect(text.status == 0)
            #expect(text.output.contains(" MiB") && text.output.contains("0.0 %"))
        }
    }

    @Test("names of an app are completed from its cell")
    func completion() throws {
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            var program = program
            program.environment["SAP_SHELL"] = "bash"
            let added = try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
            #expect(added.status == 0)
            #expect(try program.run("app", "create", "garden", "--cell", "3").status == 0)
            let connection = try PostgresConnection(url: url, schema: #require(SchemaName("landfall_3")))
            try connection.execute(
                script: SQLFile(
                    name: "test/campaign",
                    text: """
                        INSERT INTO landfall.campaign (app_id, key, variant)
                        SELECT app_id, 'spring', '' FROM landfall.app
                        """))
            for (option, line, known) in [
                ("--campaign", ["--app", "garden", "--campaign", ""], "spring"),
                ("--app", ["--app", ""], "garden"),
            ] {
                let words = ["landfall", "funnel"] + line
                let place = ["---completion", "funnel", "--", option, "\(words.count - 1)", "0"]
                #expect(try program.run(place + words).output == known + "\n")
            }
        }
    }

    @Test("the state of a cell that cannot be reached says why, and its apps are listed")
    func status() throws {
        let url = TestDatabase.current.url
        try withProgram(third: #""url":"\#(url)","schema":"landfall_3""#) { program in
            let added = try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
            #expect(added.status == 0)
            #expect(try program.run("app", "create", "garden", "--cell", "3").status == 0)
        }
        try withProgram { program in
            let rows = try program.run("cell", "status", "--csv").output.split(separator: "\r\n")
            #expect(rows.last?.contains(",landfall,,1,,,,") == true)
            #expect(rows.last?.contains("PostgreSQL cannot be reached") == true)
            #expect(try program.run("app", "list", "--csv").output.contains("garden,3"))
            let ending = try program.run("app", "show", "--app", "garden")
            #expect(ending.status == 1)
            #expect(
                ending.notes.contains("the database of cell 3, which has the app garden, cannot be reached"))
            let again = try program.run("app", "create", "garden", "--cell", "0")
            #expect(again.notes.contains("already exists"))
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
