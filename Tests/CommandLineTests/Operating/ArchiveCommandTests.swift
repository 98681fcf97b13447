import ChildPrograms
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import Vault

@Suite("landfall archive", .databaseForLong) struct ArchiveCommandTests {
    private let day = (Instant.now - .days(20)).startOfUTCDay

    private func withProgram(_ body: (LandfallProgram) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "archive")
        defer { try? folder.remove() }
        let program = LandfallProgram.onTestDatabase(in: folder.url)
        for app in ["shop", "news"] { #expect(try program.run("app", "create", app).status == 0) }
        try await body(program)
    }

    /// Sends 300 pushes of two apps over two days, of which some arrive and are clicked, some are rejected,
    /// and a few have no response.
    private func fill() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(TokenKey.random()), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        var items: [BatchItem] = []
        for number in 0..<300 {
            let (id, app) = (UUID(), number % 3 == 0 ? secondApp : firstApp)
            let sentAt = day + .minutes(Int64(number) * 9)
            func add(_ content: Event.Content) {
                let event = Event(notificationID: id, sentAt: sentAt, content: content)
                items.append(BatchItem(appID: app, text: [], poster: .server, content: .success(event)))
            }
            if number % 50 != 0 {
                var response = ProviderResponse(provider: "apns", status: number % 7 == 0 ? 503 : 200)
                response.campaign = number % 2 == 0 ? "spring, \"summer\"" : "Ω"
                add(.response(response))
            }
            for (kind, share) in [(DeviceReport.Kind.arrival, 2), (.click, 10)] where number % share == 0 {
                var report = DeviceReport(kind: kind)
                report.occurredAt = sentAt + .seconds(Int64(number))
                add(.device(report))
            }
        }
        _ = try await writer.write(items)
    }

    @Test("archives, drops and says so; a repeated run has nothing to do")
    func drops() async throws {
        try await withProgram { program in
            try await fill()
            let archived = try program.run("archive", "files", "--before", "17d", "--csv")
            #expect(archived.status == 0, "\(archived.notes)")
            #expect(archived.output.split(whereSeparator: \.isNewline).count == 3)
            #expect(archived.output.contains("\(day.utcDate),160,"))
            #expect(archived.output.contains("archived"))
            let dropped = try program.run("archive", "files", "--before", "17d", "--drop", "--json")
            #expect(dropped.status == 0, "\(dropped.notes)")
            #expect(dropped.output.contains("\"dropped\""))
            #expect(try program.run("verify").status == 0)
            #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 0)
            let again = try program.run("archive", "files", "--before", "17d", "--drop")
            #expect(again.status == 0)
            #expect(again.notes.contains("There is no day to archive"))
            let young = try program.run("archive", "files", "--before", "today", "--drop")
            #expect(young.status == 1)
            #expect(young.notes.contains("at least 14 days ago"), "\(young.notes)")
        }
    }

    private struct Read: Decodable {
        let columns: [String: String]
        let apps: [String: [String: Int64]]
        let ids: Int64
        let days: Int64
    }

    /// Whether DuckDB can be installed. Otherwise the test below is left out.
    static let reachesPyPI: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let code = """
            import os, urllib.request
            index = os.environ.get('PIP_INDEX_URL', 'https://pypi.org/simple')
            urllib.request.urlopen(index.rstrip('/') + '/duckdb/', timeout=20)
            """
        process.arguments = ["python3", "-c", code]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(
        "DuckDB reads both kinds of files, and its sums equal those of the manifest and the funnel",
        .enabled(if: ArchiveCommandTests.reachesPyPI, "PyPI cannot be reached, so DuckDB cannot be installed")
    )
    func duckDB() async throws {
        try await withProgram { program in
            try await fill()
            for flags in [[], ["--ndjson"]] {
                let folder = flags.isEmpty ? "both" : "lines"
                let ending = try program.run(["archive", folder, "--before", "17d"] + flags)
                #expect(ending.status == 0, "\(ending.notes)")
            }
            // One folder with both kinds.
            for part in try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/lines") {
                try FileManager.default.copyItem(
                    atPath: program.folder.path + "/lines/\(part)/notifications.ndjson.gz",
                    toPath: program.folder.path + "/both/\(part)/notifications.ndjson.gz")
            }
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("duckdb-archive.py")
            let play = try ChildProgram.start(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["python3", script.path, program.folder.path + "/python", program.folder.path + "/both"],
                environment: ProcessInfo.processInfo.environment,
                log: program.folder.appendingPathComponent("log"))
            try await play.waitUntilEnded()
            // The log may begin with warnings of pip.
            let lines = play.output.split(whereSeparator: \.isNewline)
            let json = try #require(lines.last { $0.hasPrefix("{") }, "\(play.lastLines)")
            let read = try JSONDecoder().decode([String: Read].self, from: Data(json.utf8))
            let (parquet, ndjson) = (try #require(read["parquet"]), try #require(read["ndjson"]))
            #expect(parquet.columns["notification_id"] == "VARCHAR")
            #expect(parquet.columns["sent_at"] == "TIMESTAMP WITH TIME ZONE")
            #expect(parquet.columns["campaign"] == "VARCHAR")
            #expect(parquet.columns["arrived_after_ms"] == "BIGINT")
            #expect(parquet.columns["clicked"] == "BOOLEAN")
            #expect(parquet.ids == 300)
            #expect(ndjson.ids == 300)
            #expect(parquet.days == 2)
            for (app, sums) in ndjson.apps {
                // What is never true has no column there.
                for (name, sum) in sums { #expect(parquet.apps[app]?[name] == sum, "\(app) \(name)") }
            }
            for app in ["shop", "news"] {
                let sums = try #require(parquet.apps[app])
                let funnel = try program.run(
                    "funnel", "--app", app, "--from", day.utcDate, "--to", (day + .days(2)).utcDate, "--json")
                let document = try #require(
                    JSONSerialization.jsonObject(with: Data(funnel.output.utf8)) as? [String: Any])
                let totals = try #require((document["totals"] as? [String: Any])?["counts"] as? [String: Any])
                for name in ["attempted", "accepted", "arrived", "confirmed", "clicked"] {
                    #expect((totals[name] as? Int).map(Int64.init) == sums[name], "\(app) \(name)")
                }
                #expect(sums["clicked"] ?? 0 > 0)
                #expect(sums["unmatched"] ?? 0 > 0)
            }
        }
    }
}
