import ChildPrograms
import DeliveryModel
import FaultProxy
import Foundation
import PostgresClient
import Settings
import TestDatabase
import Testing

@testable import Dashboards

@Suite("The database of a command", .database) struct ChosenDatabaseTests {
    private func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = try ThrowawayFolder.create(for: "command")
        defer { try? folder.remove() }
        return try body(folder.url)
    }

    private func write(_ text: String, to folder: URL) throws -> String {
        let file = folder.appendingPathComponent("landfall.json")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test(
        "is never created by a command that only reads or administers: it says where it looked and what to do",
        arguments: [
            "funnel", "app list", "app create shop", "app show", "app set stale_after_days 90", "key list",
            "key create --kind server", "tokens status", "tokens sweep", "doctor", "verify", "migrate",
            "maintain",
            "sketch", "quarantine list", "explain token abcdef12",
        ])
    func absent(command: String) throws {
        try withFolder { folder in
            let words = command.split(separator: " ").map(String.init)
            let ending = try LandfallProgram(
                folder: folder, environment: ["LANDFALL_BACKUP_PASSPHRASE": "correct horse"]
            ).run(words)
            #expect(ending.status == 1)
            #expect(ending.output.isEmpty)
            for part in [
                "~/.landfall", "LANDFALL_DATA", "--database", "LANDFALL_DATABASE_URL",
                "landfall-server serve",
            ] {
                #expect(ending.notes.contains(part), "\(ending.notes)")
            }
            let home = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(home == [])
        }
    }

    @Test(
        "is the one in the server's configuration file, unless a flag or a variable names another",
        .enabled(if: !TestDatabase.needsCellSetting, "database.url names no schema"))
    func configuration() throws {
        let url = TestDatabase.current.url
        try withFolder { folder in
            let file = try write(#"{"database": {"url": "\#(url)"}, "port": 81, "zebra": 1}"#, to: folder)
            var program = LandfallProgram(folder: folder, environment: ["LANDFALL_CONFIG": file])
            let created = try program.run("app", "create", "shop")
            #expect(created.status == 0, "\(created.notes)")
            program.environment = [:]
            let listed = try program.run("app", "list", "--csv", "--config", file)
            #expect(listed.output.contains("shop"), "\(listed.notes)")
            program.environment = [
                "LANDFALL_CONFIG": file, "LANDFALL_DATABASE_URL": "host=/nonexistent dbname=other",
            ]
            #expect(try program.run("app", "list").notes.contains("/nonexistent"))
            #expect(try program.run("app", "list", "--database", url).status == 0)
        }
    }

    @Test("is not opened if a setting is wrong: each mistake is one line, exit code 64")
    func mistakes() throws {
        try withFolder { folder in
            let program = LandfallProgram(
                folder: folder,
                environment: [
                    "LANDFALL_DATABASE_PREPARED_STATEMENTS": "perhaps", "LANDFALL_TOKEN_KEY": "c2hvcnQ=",
                    "LANDFALL_PORT": "no concern of ours",
                ])
            let ending = try program.run("funnel")
            #expect(ending.status == 64)
            let lines = ending.notes.split(separator: "\n")
            #expect(lines.count == 2, "\(ending.notes)")
            #expect(!ending.notes.contains("c2hvcnQ="))
        }
        try withFolder { folder in
            let ending = try LandfallProgram(folder: folder).run("funnel", "--config", "/nonexistent.json")
            #expect(ending.status == 64)
            #expect(ending.notes.contains("/nonexistent.json"))
        }
    }

    @Test(
        "is used without session state if prepared statements are off, as with PgBouncer",
        arguments: [
            "app list", "funnel --app shop", "tokens status --app shop", "doctor", "today",
            "rejections --app shop",
            "quarantine list --app shop", "app set --app shop breaker_share 0.5",
        ])
    func pooler(command: String) throws {
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { proxy.close() }
        let words = command.split(separator: " ").map(String.init)
        try withFolder { folder in
            var program = LandfallProgram(
                folder: folder,
                environment: TestDatabase.variables(naming: proxy.url(database: TestDatabase.current.name)))
            #expect(try program.run("app", "create", "shop").status == 0)
            program.environment["LANDFALL_DATABASE_ALLOW_UNSAFE"] = "true"
            let before = proxy.sessionStateCount
            #expect(before > 0)
            program.environment["LANDFALL_DATABASE_PREPARED_STATEMENTS"] = "false"
            let ending = try program.run(words)
            #expect(ending.status == 0, "\(ending.output)\(ending.notes)")
            #expect(proxy.sessionStateCount == before)
        }
    }

    @Test(
        "is not touched by a command if a later version has migrated it",
        arguments: [
            "app list", "funnel --app shop", "tokens status --app shop", "doctor", "today", "verify",
            "key list",
            "maintain", "migrate", "tokens sweep --app shop", "person list", "quarantine list --app shop",
            "app create other",
        ])
    func newer(command: String) async throws {
        for database in TestDatabase.current.all {
            try await database.execute(
                "INSERT INTO landfall.schema_migration (name, checksum) VALUES ('v999_later', '\\x00')")
        }
        try withFolder { folder in
            let program = LandfallProgram(
                folder: folder, environment: TestDatabase.current.variables)
            let ending = try program.run(command.split(separator: " ").map(String.init))
            #expect(ending.status == 1, "\(ending.output)")
            if command == "doctor", TestDatabase.hasSeveralCells {
                // Of several cells, it is a finding of each.
                #expect(ending.output.contains("v999_later"))
                return
            }
            #expect(ending.output.isEmpty)
            #expect(ending.notes.contains("newer than this program"), "\(ending.notes)")
            #expect(ending.notes.contains("v999_later"))
        }
    }

    @Test("that cannot be reached is named without control characters")
    func unreachable() throws {
        try withFolder { folder in
            let program = LandfallProgram(
                folder: folder, environment: ["LANDFALL_DATABASE_URL": "host=\(folder.path) dbname=landfall"])
            let ending = try program.run("app", "list")
            #expect(ending.status == 1)
            #expect(ending.notes.contains("Is the server running locally"), "\(ending.notes)")
            #expect(!ending.notes.contains("\\t") && !ending.notes.contains("\t"), "\(ending.notes)")
        }
    }

    @Test("that remained when its data folder was deleted is reported, not a wrong key")
    func lostDataFolder() async throws {
        let folder = try ThrowawayFolder.create(for: "lost")
        defer { try? folder.remove() }
        let executable = try ServerProgram.executable()
        try await ServerProgram.start(executable, dataFolder: folder.url).stop()
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("token.key"))
        for attempt in 0..<2 {
            do {
                try await ServerProgram.start(
                    executable, dataFolder: folder.url, log: "attempt-\(attempt).log"
                ).stop()
                Issue.record("the server started")
            } catch ServerProgramError.notReady(_, let log) {
                #expect(log.contains("which was deleted") && log.contains("token.key"), "\(log)")
            }
        }
    }

    @Test(
        "is named if nothing is found, and never with its password",
        .oneCell("of several databases, commands name the cells"))
    func named() throws {
        let url = TestDatabase.current.url + " password=s3cret"
        try withFolder { folder in
            let variables = TestDatabase.variables(naming: url)
            let program = LandfallProgram(folder: folder, environment: variables)
            let id = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
            var told = [try program.run("app", "list"), try program.run("funnel"), try program.run("today")]
            #expect(told.map(\.status) == [0, 1, 0])
            #expect(try program.run("app", "create", "shop").status == 0)
            let statuses: [([String], Int32)] = [
                (["funnel"], 0), (["reach"], 0), (["clicks"], 0), (["loss"], 0), (["rejections"], 0),
                (["latency"], 0), (["extension"], 0), (["permissions"], 0), (["key", "list"], 0),
                (["tokens", "status"], 0),
                (["tokens", "waterfall"], 0), (["tokens", "zombies"], 0), (["tokens", "deaths"], 0),
                (["tokens", "release"], 0), (["quarantine", "list"], 0), (["quarantine", "drop"], 0),
                (["verify"], 0),
                (["explain", "device", id], 1), (["explain", "notification", id], 1),
                (["explain", "token", "#12"], 1), (["key", "revoke", "7"], 1),
                (["funnel", "--app", "shpo"], 64),
            ]
            for (words, status) in statuses {
                let ending = try program.run(words)
                #expect(ending.status == status, "\(words) \(ending.notes)")
                told.append(ending)
            }
            for ending in told {
                let text = ending.output + ending.notes
                #expect(text.contains(TestDatabase.current.name), "\(text)")
                #expect(variables.keys.allSatisfy { text.contains($0) })
                #expect(!text.contains("s3cret"))
            }
        }
    }

    @Test("is described by its folder if private, otherwise by its connection string and the source of that")
    func words() throws {
        let environment = ["HOME": "/home/ada"]
        func name(_ flags: [String: String] = [:], _ more: [String: String] = [:]) throws -> String {
            try FoundSettings(flags: flags, file: nil, environment: environment.merging(more) { $1 })
                .databaseName
        }
        #expect(try name() == "the private database in ~/.landfall")
        #expect(try name([:], ["LANDFALL_DATA": "/srv/landfall"]) == "the private database in /srv/landfall")
        #expect(
            try name(["database.url": "postgres://ada:s3cret@h/db"])
                == "the database postgres://ada:***@h/db (flag --database)")
        #expect(
            try name([:], ["LANDFALL_DATABASE_URL": "host=h password=s3cret dbname=db"])
                == "the database host=h password=*** dbname=db (environment LANDFALL_DATABASE_URL)")
    }

    @Test("cells are described by their numbers and the source of their list, and each has its database")
    func cells() throws {
        func found(_ cells: String) throws -> FoundSettings {
            try FoundSettings(flags: [:], file: nil, environment: ["LANDFALL_DATABASE_CELLS": cells])
        }
        let two = try found(
            #"[{"cell":0,"url":"host=a"},{"cell":3,"url":"host=b password=s3cret","schema":"landfall_3"}]"#)
        #expect(two.databaseName == "the databases of cells 0, 3 (environment LANDFALL_DATABASE_CELLS)")
        let third = try two.database(of: #require(CellNumber(3)))
        #expect(third.url == "host=b password=s3cret")
        #expect(third.schema == SchemaName("landfall_3"))
        #expect(third.cell == CellNumber(3))
        let error = #expect(throws: CommandProblem.self) {
            try two.database(of: #require(CellNumber(7)))
        }
        #expect(
            error?.description
                == "cell 7 is not in database.cells (environment LANDFALL_DATABASE_CELLS): add it")
        let one = try found(#"[{"cell":0,"url":"host=a password=s3cret"}]"#)
        #expect(
            one.databaseName == "the database host=a password=*** (environment LANDFALL_DATABASE_CELLS)")
        #expect(try one.database(of: .front).cell == nil)
    }

    @Test("the token key and PostgreSQL's programs are found where the configuration file says")
    func keyFromFile() throws {
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        try withFolder { folder in
            let file = try write(
                #"{"data": "/srv/data", "token.key": "\#(key)", "pg": {"bin": "/opt/pg/bin"}}"#, to: folder)
            let settings = try FoundSettings(flags: [:], file: file, environment: ["LANDFALL_PG_BIN": "/bin"])
            #expect(settings.dataFolder.path == "/srv/data")
            #expect(settings.environment["LANDFALL_TOKEN_KEY"] == key)
            #expect(settings.environment["LANDFALL_PG_BIN"] == "/bin")
            let unnamed = try FoundSettings(flags: [:], file: file, environment: ["LANDFALL_DATA": ""])
            #expect(unnamed.environment["LANDFALL_PG_BIN"] == "/opt/pg/bin")
            #expect(unnamed.environment["LANDFALL_DATA"] == "/srv/data")
        }
    }
}
