import ChildPrograms
import DeliveryModel
import FaultProxy
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import Vault

@testable import Backup

@Suite("A sealed file") struct SealedFileTests {
    /// Cheap parameters: these tests do not measure scrypt.
    private var header: BackupHeader {
        var header = BackupHeader()
        header.rounds = 1 << 10
        return header
    }

    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "sealed")
        defer { try? folder.remove() }
        try body(folder.url.appendingPathComponent("file").path)
    }

    private func write(_ bytes: Data, to path: String) throws {
        let writer = try SealedFileWriter(path: path, passphrase: "correct horse", header: header)
        try writer.append(Data("first".utf8))
        try writer.flush()
        for start in stride(from: 0, to: bytes.count, by: 70_001) {
            try writer.append(bytes[start..<min(start + 70_001, bytes.count)])
        }
        try writer.finish()
    }

    private func read(_ path: String, passphrase: String = "correct horse") throws -> Data {
        let reader = try SealedFileReader(path: path, passphrase: passphrase)
        var bytes = Data()
        while let chunk = try reader.next() { bytes.append(chunk) }
        return bytes
    }

    private static let large = Data(
        (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })

    @Test("holds what was written, of any length", arguments: [0, 1, 1 << 20, 2_500_000])
    func roundTrip(count: Int) throws {
        try withFile { path in
            let bytes = Self.large.prefix(count)
            try write(bytes, to: path)
            #expect(try read(path) == Data("first".utf8) + bytes)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("opens only with its passphrase")
    func passphrase() throws {
        try withFile { path in
            try write(Self.large, to: path)
            #expect(throws: BackupError.wrongPassphrase) { try read(path, passphrase: "correct horsf") }
        }
    }

    @Test("is rejected if it is truncated or changed anywhere, or if chunks are missing or exchanged")
    func damage() throws {
        try withFile { path in
            try write(Self.large, to: path)
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            let other = path + ".other"
            func expectRefused(_ bytes: Data, _ what: String) throws {
                try bytes.write(to: URL(fileURLWithPath: other))
                #expect(throws: BackupError.self, "\(what)") { try read(other) }
            }
            for cut in [0, 5, 19, 60, 300, 1 << 20, whole.count - 17, whole.count - 1] {
                try expectRefused(whole.prefix(cut), "cut to \(cut)")
            }
            for place in [3, 30, 150, 250, 5_000, whole.count / 2, whole.count - 20, whole.count - 1] {
                var bytes = whole
                bytes[place] ^= 1
                try expectRefused(bytes, "changed at \(place)")
            }
            try expectRefused(whole + [0], "longer")
            // magic, length and header, then the chunk "first", then two whole chunks of equal size.
            let headerEnd = 20 + Int(whole[16..<20].reduce(0) { $0 << 8 | UInt32($1) })
            let first = headerEnd + 4 + 5 + 16
            let chunk = 4 + (1 << 20) + 16
            try expectRefused(whole.prefix(first) + whole.dropFirst(first + chunk), "a chunk left out")
            let exchanged =
                whole.prefix(first) + whole[(first + chunk)..<(first + 2 * chunk)]
                + whole[first..<(first + chunk)] + whole.dropFirst(first + 2 * chunk)
            try expectRefused(exchanged, "two chunks exchanged")
            // The last chunk is removed at a chunk's end, where the file does not look truncated.
            try expectRefused(whole.prefix(first + 2 * chunk), "without the last chunk")
        }
    }

    @Test("replaces no file, and leaves none behind if it is abandoned")
    func draft() throws {
        try withFile { path in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            do {
                let writer = try SealedFileWriter(path: path, passphrase: "correct horse", header: header)
                try writer.append(Self.large)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            try write(Data(), to: path)
            #expect(throws: BackupError.alreadyThere(path)) { try write(Data(), to: path) }
        }
    }
}

@Suite("landfall backup and restore", .database, .timeLimit(.minutes(40))) struct BackupTests {
    private static let key = Data(repeating: 7, count: 32).base64EncodedString()

    private func withProgram(_ body: (LandfallProgram, String) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "backup")
        defer { try? folder.remove() }
        let program = LandfallProgram(
            folder: folder.url,
            environment: TestDatabase.current.variables.merging([
                "LANDFALL_DATA": folder.url.appendingPathComponent("data").path,
                "LANDFALL_TOKEN_KEY": Self.key, "LANDFALL_BACKUP_PASSPHRASE": "correct horse",
            ]) { $1 })
        // Its password is not needed here, and must not appear anywhere.
        let empty = "restored_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_")
        try await TestDatabase.current.execute("CREATE DATABASE \(empty)")
        do {
            try await body(program, TestDatabase.current.url + " dbname=\(empty) password=s3cret")
        } catch {
            try await TestDatabase.current.execute("DROP DATABASE \(empty) WITH (FORCE)")
            throw error
        }
        try await TestDatabase.current.execute("DROP DATABASE \(empty) WITH (FORCE)")
    }

    /// The number of rows by table.
    private func counts(_ url: String) throws -> [String: Int64] {
        let connection = try TestDatabase.connect(to: url)
        let tables: [String] = try connection.query(
            SQLFile(
                name: "test/tables",
                text: """
                    SELECT relname::text FROM pg_class
                     WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
                    """)
        ).column(0)
        return try Dictionary(
            uniqueKeysWithValues: tables.map { table in
                let rows = try connection.query(
                    SQLFile(name: "test/\(table)", text: "SELECT count(*) FROM landfall.\(table)"))
                return (table, try rows.single().get(0, as: Int64.self))
            })
    }

    /// Posts 30 notifications over three days, one of them with an arrival, and an item for the quarantine.
    private func post() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(try TokenKey(base64: Self.key)), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        let validator = EventValidator(appID: firstApp, poster: .server, now: .now)
        let texts = (0..<30).map { (number: Int64) in
            #"{"type":"response","notification_id":"\#(UUID())","provider":"apns","status":\#(number % 3 == 0 ? 503 : 200),"#
                + #""sent_at":\#((Instant.now - .hours(2 * number)).millisecondsSinceEpoch),"token":"aa\#(number + 10)"}"#
        }
        let items = (texts + ["{}"]).map { text in
            let bytes = Array(text.utf8)[...]
            return BatchItem(appID: firstApp, text: bytes, poster: .server, content: validator.decode(bytes))
        }
        let verdicts = try await writer.write(items)
        #expect(verdicts.filter { $0.outcome == .accepted }.count == 30)
    }

    /// Creates an app with imported tokens, whose values are sealed.
    private func fill(_ program: LandfallProgram) throws {
        #expect(try program.run("app", "create", "shop").status == 0)
        try importTokens(1...50, program)
    }

    private func importTokens(_ numbers: ClosedRange<Int>, _ program: LandfallProgram) throws {
        let tokens = numbers.map { String(format: "%064x", $0) + ",2026-03-01T00:00:00Z" }
        let imported = try program.run(
            ["tokens", "import", "-", "--kind", "alert", "--topic", "com.example.shop", "--apply"],
            input: (["value,registered_at"] + tokens).joined(separator: "\n") + "\n")
        #expect(imported.status == 0, "\(imported.notes)")
    }

    @Test("of a cell is restored as that cell, in any database", .oneCell("makes its own cells"))
    func cell() async throws {
        try await withProgram { program, empty in
            let url = TestDatabase.current.url
            var program = program
            func place(_ cell: Int, _ place: String) {
                program.environment["LANDFALL_DATABASE_URL"] = nil
                program.environment["LANDFALL_DATABASE_CELLS"] =
                    #"[{"cell":0,"url":"\#(url)","schema":"\#(TestDatabase.schema)"},"#
                    + #"{"cell":\#(cell),"url":"\#(place)","schema":"landfall_3"}]"#
            }
            place(3, url)
            let added = try program.run("cell", "add", "3", "--database", url, "--schema", "landfall_3")
            #expect(added.status == 0, "\(added.notes)")
            #expect(try program.run("app", "create", "garden", "--cell", "3").status == 0)
            let written = try program.run("backup", "c.backup", "--cell", "3")
            #expect(written.status == 0 && written.output.contains("of cell 3"), "\(written.notes)")

            place(4, empty)
            let refused = try program.run("restore", "c.backup", "--cell", "4")
            #expect(refused.status == 1)
            #expect(refused.notes.contains("the backup is of cell 3: restore it with --cell 3"))
            place(3, empty)
            let restored = try program.run("restore", "c.backup", "--cell", "3")
            #expect(restored.status == 0, "\(restored.notes)")
            #expect(restored.output.contains("into cell 3:"))
            #expect(try program.run("app", "show", "--app", "garden").status == 0)
            let again = try program.run("cell", "add", "3", "--database", empty, "--schema", "landfall_3")
            #expect(again.status == 0, "\(again.notes)")
        }
    }

    @Test(
        "restore every row, and tokens that can be found by their value",
        .oneCell("a restored cell is of use only next to cell 0"))
    func roundTrip() async throws {
        try await withProgram { program, empty in
            try fill(program)
            try await post()
            let written = try program.run("backup", "a.backup")
            #expect(written.status == 0, "\(written.notes)")
            #expect(written.output.contains("a.backup"))
            let bytes = try Data(contentsOf: program.folder.appendingPathComponent("a.backup"))
            for secret in [Self.key, "com.example.shop", "PGDMP"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }

            let schema = try #require(SchemaName("landfall_elsewhere"))
            let elsewhere = try PostgresConnection(url: empty, schema: schema)
            #expect(throws: BackupError.ofSchema(TestDatabase.schema.text)) {
                try DatabaseBackup.restore(
                    program.folder.appendingPathComponent("a.backup").path, passphrase: "correct horse",
                    dataFolder: program.folder, on: elsewhere, environment: [:])
            }

            // On another machine: another data folder and no key.
            var other = program
            other.environment.merge(TestDatabase.variables(naming: empty)) { $1 }
            other.environment["LANDFALL_DATA"] = program.folder.appendingPathComponent("other").path
            other.environment["LANDFALL_TOKEN_KEY"] = nil
            let restored = try other.run("restore", "a.backup")
            #expect(restored.status == 0, "\(restored.notes)")
            #expect(restored.output.contains("0 differences"))
            #expect(!(restored.output + restored.notes).contains("s3cret"))
            #expect(try other.run("verify").status == 0)
            let story = try other.run("explain", "token", String(format: "%064x", 7), "--app", "shop")
            #expect(story.status == 0, "\(story.notes)")
            var before = try counts(TestDatabase.current.url)
            let after = try counts(empty)
            // The audit records the restoration.
            before["audit_entry"]? += 1
            #expect(before == after)
            #expect(after["delivery"] == 30 && after["quarantined_item"] == 1 && after["token"] == 80)
            let again = try other.run("restore", "a.backup")
            #expect(again.status == 1)
            #expect(again.notes.contains("into an empty database"), "\(again.notes)")
            #expect(try program.run("backup", "a.backup").notes.contains("already exists"))
        }
    }

    @Test(
        "restore into a cluster with lower transaction numbers: rows of the ledger written later come last",
        .enabled(if: TestCells.chosen == .one, "cell 0 is restored before another"))
    func lowerNumbers() async throws {
        let burn = "DO $$ BEGIN FOR n IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
        try TestDatabase.current.connect().execute(script: SQLFile(name: "test/burn", text: burn))
        try await withProgram { program, _ in
            try fill(program)
            #expect(try program.run("backup", "a.backup").status == 0)
            try await OwnCluster.run { cluster async throws in
                var other = program
                other.environment.merge(TestDatabase.variables(naming: cluster.url)) { $1 }
                other.environment["LANDFALL_DATA"] = program.folder.appendingPathComponent("other").path
                let restored = try other.run("restore", "a.backup")
                #expect(restored.status == 0, "\(restored.notes)")
                try importTokens(51...60, other)
                let numbers: [Int64] = try TestDatabase.connect(to: cluster.url).query(
                    SQLFile(
                        name: "test/numbers",
                        text: "SELECT written_by FROM landfall.token_transition ORDER BY transition_id")
                ).column(0)
                #expect(numbers.count == 60)
                let dumped = try #require(numbers.prefix(50).max())
                #expect(numbers.dropFirst(50).allSatisfy { $0 > dumped })
            }
        }
    }

    @Test(
        "change nothing with a wrong passphrase, a truncated file or another token key",
        .enabled(if: TestCells.chosen == .one, "cell 0 is restored before another"))
    func refused() async throws {
        try await withProgram { program, empty in
            try fill(program)
            #expect(try program.run("backup", "a.backup").status == 0)
            let file = program.folder.appendingPathComponent("a.backup")
            try Data(contentsOf: file).dropLast(1).write(
                to: program.folder.appendingPathComponent("short.backup"))

            var other = program
            other.environment.merge(TestDatabase.variables(naming: empty)) { $1 }
            #expect(try other.run("restore", "short.backup").notes.contains("is truncated"))
            #expect(try other.run("restore", "none.backup").notes.contains("does not exist"))
            other.environment["LANDFALL_TOKEN_KEY"] = Data(repeating: 8, count: 32).base64EncodedString()
            #expect(try other.run("restore", "a.backup").notes.contains("not the key of the backup"))
            other.environment["LANDFALL_TOKEN_KEY"] = Self.key
            try Data("wrong horse\n".utf8).write(to: program.folder.appendingPathComponent("wrong"))
            let wrong = try other.run("restore", "a.backup", "--passphrase-file", "wrong")
            #expect(wrong.status == 1)
            #expect(wrong.notes.contains("passphrase is wrong"))
            try Data("correct horse\r\nnotes\r\n".utf8).write(
                to: program.folder.appendingPathComponent("wrong"))
            #expect(
                try other.run("restore", "short.backup", "--passphrase-file", "wrong").notes.contains(
                    "is truncated"))
            // Nothing of it is left: with the right passphrase, a restore still finds an empty database.
            let right = try other.run("restore", "a.backup")
            #expect(right.status == 0, "\(right.notes)")
        }
    }

    @Test("need a passphrase of sufficient length, and pg_dump of the server's version or a later one")
    func needs() async throws {
        try await withProgram { program, _ in
            var program = program
            program.environment["LANDFALL_BACKUP_PASSPHRASE"] = nil
            #expect(try program.run("backup", "a.backup").notes.contains("--passphrase-file"))
            program.environment["LANDFALL_BACKUP_PASSPHRASE"] = "short"
            #expect(try program.run("backup", "a.backup").notes.contains("8 characters"))
            program.environment["LANDFALL_BACKUP_PASSPHRASE"] = "correct horse"
            let bin = program.folder.appendingPathComponent("bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            program.environment["LANDFALL_PG_BIN"] = bin.path
            let without = try program.run("backup", "a.backup")
            #expect(without.status == 1)
            #expect(without.notes.contains("pg_dump of PostgreSQL"), "\(without.notes)")
            let old = bin.appendingPathComponent("pg_dump")
            try Data("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n".utf8).write(to: old)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: old.path)
            #expect(try program.run("backup", "a.backup").notes.contains("LANDFALL_PG_BIN"))
            let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
            #expect(!left.contains { $0.contains("a.backup") }, "\(left)")
        }
    }

    @Test("stop at once on request and leave nothing, however much pg_dump still has to write")
    func stopped() async throws {
        try await withProgram { program, _ in
            let bin = program.folder.appendingPathComponent("bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            let dump = bin.appendingPathComponent("pg_dump")
            let script = """
                #!/bin/sh
                [ "$1" = --version ] && { echo 'pg_dump (PostgreSQL) 99.1'; exit; }
                exec yes PGDMP
                """
            try Data(script.utf8).write(to: dump)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: dump.path)
            var environment = ProcessInfo.processInfo.environment.merging(program.environment) { $1 }
            environment["LANDFALL_PG_BIN"] = bin.path
            let file = program.folder.appendingPathComponent("a.backup").path
            let backup = try ChildProgram.start(
                LandfallProgram.url, ["backup", file] + TestDatabase.cellOptions, environment: environment,
                log: program.folder.appendingPathComponent("log"))
            func drafts() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
                    .filter { $0.hasSuffix(".part") }
            }
            while try drafts().isEmpty {
                try #require(!backup.hasEnded, "\(backup.output)")
                try await Task.sleep(for: .milliseconds(20))
            }
            try await Task.sleep(for: .milliseconds(300))
            kill(backup.pid, SIGINT)
            #expect(backup.waitForExitCode() == 130, "\(backup.output)")
            #expect(try drafts() == [])
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
