import DeliveryModel
import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

@testable import DeliveryArchive

@Suite(.database) struct DayArchiverTests {
    private let bench = MaintenanceFixture()
    private let scratch = Scratch()
    private var folder: URL { scratch.folder }
    private var old: Instant { (bench.now - .days(20)).startOfUTCDay }

    private struct Killed: Error {}

    /// A folder that is removed with the test.
    private final class Scratch: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID())")

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    /// On the old day, sends 30 notifications, of which 10 arrive and 3 are clicked, 5 that are rejected, an
    /// unmatched arrival, and one whose row is elsewhere: the row under the time in its id is a pointer.
    private func fill() async throws {
        try await bench.database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let writer = try await bench.writer()
        let ids = (0..<30).map { _ in UUID() }
        _ = try await writer.write(
            ids.map { MaintenanceFixture.response(old + .hours(1), id: $0) }
                + (0..<5).map { _ in MaintenanceFixture.response(old, status: 503) })
        _ = try await writer.write(
            ids.prefix(10).map { MaintenanceFixture.arrival(old + .hours(1), id: $0, at: old + .hours(2)) }
                + [MaintenanceFixture.arrival(old, at: old)])
        let planned = UUID.versionSeven(at: old + .hours(3))
        _ = try await writer.write([MaintenanceFixture.response(old + .hours(5), id: planned)])
        _ = try await writer.write([MaintenanceFixture.response(bench.now)])
    }

    private var rows: Int64 { 37 }

    private func run(
        drops: Bool = false, format: ArchiveFormat = .parquet, before: Instant? = nil,
        observe: @escaping @Sendable (DayArchiver.Step) throws -> Void = { _ in }
    ) async throws -> [ArchivedDay] {
        let before = before ?? old + .days(1)
        return try await bench.database.pool.withConnection { [folder] connection in
            var archiver = DayArchiver(folder: folder, format: format, drops: drops, on: connection)
            archiver.observe = observe
            return try archiver.run(before: before)
        }
    }

    private var place: URL { folder.appendingPathComponent("day=\(old.utcDate)") }

    private func manifest() throws -> ArchiveManifest {
        try JSONDecoder().decode(
            ArchiveManifest.self, from: Data(contentsOf: place.appendingPathComponent("_manifest.json")))
    }

    /// The archive of the old day is complete, and says what the counters say.
    private func expectArchive(_ rows: Int64, unmatched: Int64 = 1) async throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [place.lastPathComponent])
        let manifest = try manifest()
        let file = place.appendingPathComponent(manifest.file)
        #expect(try ArchiveFile.digest(of: file) == manifest.sha256)
        #expect(try Data(contentsOf: file).count == Int(manifest.bytes))
        #expect(manifest.rows == rows)
        #expect(manifest.day == old.utcDate)
        #expect(manifest.columns.first?.name == "app")
        #expect(manifest.apps.map(\.app) == ["shop"])
        #expect(manifest.apps.first?.notifications == rows)
        #expect(manifest.apps.first?.sums["unmatched"] == unmatched)
        let names = try await bench.database.query("SELECT name FROM landfall.measure") {
            try $0.get(0, as: String.self)
        }
        for name in names {
            let counted = try await bench.database.count(
                "SELECT coalesce(sum(\(name)), 0)::bigint FROM public.counted WHERE quarter < $1",
                [.value(old + .days(1))])
            #expect(manifest.apps.first?.sums[name] ?? 0 == counted, "\(name)")
        }
    }

    private func expectDropped(_ rows: Int64) async throws {
        let name = MaintenanceFixture.name(old)
        #expect(try await bench.partitions().contains { $0.hasPrefix(name) } == false)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery_change") == 0)
        // The date of today's notification stays.
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.notification_date") == 1)
        #expect(
            try await bench.database.count(
                "SELECT sum(notifications)::bigint FROM public.counted WHERE quarter < $1",
                [.value(old + .days(1))])
                == rows)
        let verification = try await bench.verify()
        #expect(verification.differences == [])
        #expect(verification.notifications == 1)
    }

    @Test("a day is in a file with a manifest, whose sums are those of the counters")
    func archives() async throws {
        try await fill()
        let days = try await run()
        #expect(days.map(\.day) == [old])
        #expect(days.map(\.rows) == [rows])
        #expect(days.map(\.outcome) == [.archived])
        try await expectArchive(rows)
        #expect(try manifest().file == "notifications.parquet")
        #expect(try await bench.verify().notifications == rows + 1)
    }

    @Test("lines of JSON have the same rows; none points to another")
    func lines() async throws {
        try await fill()
        #expect(try await run(format: .ndjson).map(\.rows) == [rows])
        try await expectArchive(rows)
        let bytes = [UInt8](try Data(contentsOf: place.appendingPathComponent("notifications.ndjson.gz")))
        var text: [UInt8] = []
        let gunzip = try Gunzip()
        try bytes.withUnsafeBytes { try gunzip.unpack($0) { text += Array($0) } }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
        #expect(lines.count == Int(rows))
        #expect(lines.filter { $0["arrived"] as? Bool == true }.count == 10)
        #expect(lines.filter { $0["rejected"] as? Bool == true }.count == 5)
        #expect(lines.filter { $0["arrived_after_ms"] as? Int == 3_600_000 }.count == 10)
        #expect(lines.filter { $0["campaign"] as? String == "spring" }.count == 36)
        let hour = (old + .hours(5)).rfc3339
        #expect(lines.filter { $0["sent_at"] as? String == hour }.count == 1)
    }

    @Test("an archived day is written again only if events came in")
    func unchanged() async throws {
        try await fill()
        _ = try await run()
        #expect(try await run().map(\.outcome) == [.unchanged])
        _ = try await bench.writer().write([MaintenanceFixture.arrival(old, at: old)])
        #expect(try await run().map(\.outcome) == [.archived])
        try await expectArchive(rows + 1, unmatched: 2)
        #expect(try await run(before: old).isEmpty)
    }

    @Test("a dropped day leaves its counters, and its late events are too old", arguments: [false, true])
    func drops(isPacked: Bool) async throws {
        try await fill()
        if isPacked {
            for _ in 0..<3 {
                try await bench.database.pool.withConnection { [old] in
                    _ = try $0.query(.Maintenance.packPartition, [.value(old)])
                }
            }
        }
        #expect(try await run(drops: true).map(\.outcome) == [.dropped])
        try await expectArchive(rows)
        try await expectDropped(rows)
        let verdicts = try await bench.writer().write([MaintenanceFixture.response(old)])
        guard case .rejected(let rejection) = verdicts[0].outcome else {
            Issue.record("\(verdicts)")
            return
        }
        #expect(rejection.code == .tooOld)
        try await expectDropped(rows)
    }

    @Test("a run that is killed after any step is finished by the next", arguments: DayArchiver.Step.allCases)
    func killed(step: DayArchiver.Step) async throws {
        try await fill()
        await #expect(throws: Killed.self) {
            _ = try await run(drops: true) { if $0 == step { throw Killed() } }
        }
        // The day is closed, and its rows are not recounted.
        #expect(try await bench.verify().notifications == 1)
        _ = try await run(drops: true)
        try await expectArchive(rows)
        try await expectDropped(rows)
    }

    @Test("from its closing on, events of a day are too old, whatever says that they are of that day")
    func closed() async throws {
        try await fill()
        let (dateless, planned, waiting) = (UUID(), UUID.versionSeven(at: old + .hours(3)), UUID())
        let writer = try await bench.writer()
        _ = try await writer.write([
            MaintenanceFixture.response(old, id: dateless),
            MaintenanceFixture.arrival(old, id: waiting, at: old),
        ])
        await #expect(throws: Killed.self) {
            _ = try await run(drops: true) { if $0 == .closed { throw Killed() } }
        }
        for _ in 0..<2 {
            // The writer still believes that the day is there.
            let verdicts = try await writer.write([
                MaintenanceFixture.response(old), MaintenanceFixture.arrival(nil, id: dateless),
                MaintenanceFixture.response(old, id: dateless),
                MaintenanceFixture.response(bench.now, id: planned),
            ])
            for verdict in verdicts {
                guard case .rejected(let rejection) = verdict.outcome else {
                    Issue.record("\(verdict)")
                    continue
                }
                #expect(rejection.code == .tooOld)
            }
        }
        // The row of the arrival cannot move. It stays in the archive; its notification counts from now on.
        let moved = try await writer.write([MaintenanceFixture.response(bench.now, id: waiting)])
        #expect(moved.map(\.outcome) == [.accepted])
        #expect(try await bench.verify().differences == [])
        #expect(try await run(drops: true).map(\.outcome) == [.dropped])
        #expect(try manifest().rows == rows + 2)
        #expect(try await bench.verify().differences == [])
    }

    @Test("a closed day is not packed, and a day being packed can be closed", arguments: 1...2)
    func packing(steps: Int) async throws {
        try await fill()
        for _ in 0..<steps {
            try await bench.database.pool.withConnection { [old] in
                _ = try $0.query(.Maintenance.packPartition, [.value(old)])
            }
        }
        await #expect(throws: Killed.self) {
            _ = try await run(drops: true) { if $0 == .checked { throw Killed() } }
        }
        var settings = MaintenanceSettings()
        settings.leastPackedBytes = 0
        let (report, days) = try await bench.database.pool.withConnection {
            [now = bench.now, old, settings] connection in
            let days = try connection.query(.Ingestion.existingDays, [.array([old])]).count
            return (try Maintenance(settings).run(now: now, on: connection), days)
        }
        #expect(days == 0)
        #expect(report.daysPacked.contains(old) == false)
        #expect(try await run(drops: true).map(\.outcome) == [.dropped])
        try await expectDropped(rows)
    }

    @Test("a day whose counters differ from its rows is neither archived nor dropped")
    func differing() async throws {
        try await fill()
        try await bench.database.execute("UPDATE landfall.counter_live SET notifications = notifications + 1")
        await #expect(throws: ArchiveError.countersDiffer(day: old.utcDate)) { try await run(drops: true) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(try await bench.partitions().contains(MaintenanceFixture.name(old)))
    }

    @Test("the archive of another database is left as it is", arguments: [false, true])
    func foreign(drops: Bool) async throws {
        try await fill()
        _ = try await run()
        let before = try Data(contentsOf: place.appendingPathComponent("_manifest.json"))
        try await bench.database.execute(
            "UPDATE landfall.schema_migration SET applied_at = applied_at + interval '1 second'")
        await #expect(throws: ArchiveError.notOurs(path: place.path)) { try await run(drops: drops) }
        #expect(try Data(contentsOf: place.appendingPathComponent("_manifest.json")) == before)
        #expect(try await bench.verify().notifications == rows + 1)
    }

    @Test("days whose events may still come are archived, but not dropped")
    func young() async throws {
        try await fill()
        let before = bench.now - .days(13)
        await #expect(throws: ArchiveError.tooYoung(days: 14)) { try await run(drops: true, before: before) }
        #expect(try await run(before: before).map(\.outcome) == [.archived])
    }

    @Test("while a report reads notifications, no day is dropped, and the next run does it")
    func inUse() async throws {
        try await fill()
        let reader = try bench.database.connect()
        try reader.execute(
            script: SQLFile(name: "test/read", text: "BEGIN; SELECT count(*) FROM landfall.delivery"))
        #expect(try await run(drops: true).map(\.outcome) == [.postponed])
        try reader.execute(script: SQLFile(name: "test/end", text: "COMMIT"))
        #expect(try await run(drops: true).map(\.outcome) == [.dropped])
        try await expectDropped(rows)
    }
}

extension UUID {
    /// A version 7 id made at this instant.
    fileprivate static func versionSeven(at instant: Instant) -> UUID {
        var bytes = UUID().uuid
        let milliseconds = UInt64(instant.millisecondsSinceEpoch)
        (bytes.0, bytes.1, bytes.2) = (
            UInt8(truncatingIfNeeded: milliseconds >> 40), UInt8(truncatingIfNeeded: milliseconds >> 32),
            UInt8(truncatingIfNeeded: milliseconds >> 24)
        )
        (bytes.3, bytes.4, bytes.5) = (
            UInt8(truncatingIfNeeded: milliseconds >> 16), UInt8(truncatingIfNeeded: milliseconds >> 8),
            UInt8(truncatingIfNeeded: milliseconds)
        )
        bytes.6 = bytes.6 & 0x0F | 0x70
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }
}
