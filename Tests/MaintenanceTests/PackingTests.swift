import DeliveryModel
import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite(.database) struct PackingTests {
    private let bench = MaintenanceFixture()
    private var old: Instant { bench.now - .days(20) }

    /// Sends notifications on the old day, of which every other arrives. Returns their ids.
    @discardableResult
    private func fill(_ count: Int = 40) async throws -> [UUID] {
        let (writer, old) = (try await bench.writer(), old.startOfUTCDay)
        let ids = (0..<count).map { _ in UUID() }
        // A batch is written in the order of the key, and would leave no gaps in its index.
        for start in stride(from: 0, to: count, by: 100) {
            _ = try await writer.write(
                ids[start..<min(start + 100, count)].map { MaintenanceFixture.response(old, id: $0) })
        }
        _ = try await writer.write(
            stride(from: 0, to: count, by: 2).map { MaintenanceFixture.arrival(old, id: ids[$0], at: old) })
        return ids
    }

    @discardableResult
    private func maintain(
        _ change: @Sendable (inout MaintenanceSettings) -> Void = { _ in }, retention: Span = .days(400)
    ) async throws -> MaintenanceReport {
        // More than the indexes of an empty day take.
        var settings = MaintenanceSettings(retention: retention)
        settings.leastPackedBytes = 45_000
        change(&settings)
        return try await bench.database.pool.withConnection { [now = bench.now, settings] in
            try Maintenance(settings).run(now: now, on: $0)
        }
    }

    /// Does one step, as a run that is killed after it would.
    private func step() async throws -> String {
        try await bench.database.pool.withConnection { [old] in
            try $0.query(.Maintenance.packPartition, [.value(old)]).single().get("step")
        }
    }

    /// All rows, with all columns.
    private func rows() async throws -> [String] {
        try await bench.database.query("SELECT delivery::text FROM landfall.delivery ORDER BY 1") {
            try $0.get(0, as: String.self)
        }
    }

    private func bytes() async throws -> Int64 {
        try await bench.database.count(
            "SELECT pg_total_relation_size('landfall.' || landfall.delivery_partition('\(old.rfc3339)'::date))"
        )
    }

    private func partition() async throws -> [String] {
        let name = MaintenanceFixture.name(old)
        return try await bench.partitions().filter { $0.hasPrefix(name) }
    }

    /// Nothing of a day's packing is left.
    private func expectNoRest() async throws {
        #expect(
            try await bench.database.count(
                "SELECT count(*) FROM pg_class WHERE relname LIKE 'packing_%' AND relkind = 'r'")
                == 0)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery_change") == 0)
    }

    private func expectCounted(_ notifications: Int64) async throws {
        let verification = try await bench.verify()
        #expect(verification.differences == [])
        #expect(verification.notifications == notifications)
    }

    @Test("a packed day has the same rows in at most 55 % of the room")
    func room() async throws {
        try await fill(6_000)
        let (rows, bytes) = (try await rows(), try await bytes())
        let report = try await maintain { $0.leastPackedBytes = 1 << 20 }
        #expect(report.daysPacked == [old.startOfUTCDay])
        #expect(report.daysToPack == 0)
        #expect(try await self.rows() == rows)
        let packed = try await self.bytes()
        #expect(Double(packed) <= 0.55 * Double(bytes), "\(packed) of \(bytes) bytes")
        #expect(try await partition() == [MaintenanceFixture.name(old) + "_packed"])
        try await expectCounted(6_000)
        try await expectNoRest()
    }

    @Test("events of a packed day count, are duplicates, and move rows, as on any other day")
    func late() async throws {
        let ids = try await fill()
        try await maintain()
        let writer = try await bench.writer()
        let (old, new) = (old.startOfUTCDay, UUID())
        for outcome in [Verdict.Outcome.accepted, .duplicate] {
            let verdicts = try await writer.write([
                MaintenanceFixture.arrival(old, id: ids[1], at: old),
                MaintenanceFixture.response(old, id: new),
            ])
            #expect(verdicts.map(\.outcome) == [outcome, outcome])
        }
        try await expectCounted(41)
        #expect(
            try await bench.database.count(
                "SELECT count(*) FROM landfall.delivery WHERE arrived_after_ms IS NOT NULL") == 21)
        #expect(try await maintain().daysPacked == [])
    }

    @Test("whatever changes between the steps is in the packed day", arguments: [1, 600])
    func meanwhile(changes: Int) async throws {
        try await fill()
        let (writer, old) = (try await bench.writer(), old.startOfUTCDay)
        var expected = ["begun", "copied", "packed"]
        if changes > 500 { expected.insert("caught_up", at: 2) }
        for expectedStep in expected {
            #expect(try await step() == expectedStep)
            guard expectedStep == "begun" || expectedStep == "copied" else { continue }
            // New rows; rows that arrive; rows that are removed, because a response dates them anew.
            let ids = (0..<changes).map { _ in UUID() }
            _ = try await writer.write(ids.map { MaintenanceFixture.arrival(old, id: $0, at: old) })
            _ = try await writer.write(ids.map { MaintenanceFixture.response(old, id: $0) })
            let moved = UUID()
            _ = try await writer.write([MaintenanceFixture.arrival(old, id: moved, at: old)])
            _ = try await writer.write([MaintenanceFixture.response(old + .days(1), id: moved)])
        }
        let rows = try await rows()
        #expect(rows.count == 40 + 2 * changes + 2)
        #expect(try await partition() == [MaintenanceFixture.name(old) + "_packed"])
        try await expectCounted(Int64(rows.count))
        try await expectNoRest()
    }

    @Test("a run that was killed after any step is finished by the next", arguments: 0...3)
    func killed(steps: Int) async throws {
        try await fill()
        let rows = try await rows()
        for _ in 0..<steps { _ = try await step() }
        let report = try await maintain()
        #expect(report.daysPacked.count == (steps == 3 ? 0 : 1))
        #expect(try await self.rows() == rows)
        #expect(try await partition() == [MaintenanceFixture.name(old) + "_packed"])
        try await expectCounted(40)
        try await expectNoRest()
    }

    @Test("events of a day that is being packed, again and again, all count once")
    func storm() async throws {
        try await fill()
        let writers = [try await bench.writer(shard: 0), try await bench.writer(shard: 1)]
        let old = old.startOfUTCDay
        for _ in 0..<5 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in writers {
                    group.addTask {
                        for _ in 0..<20 {
                            let ids = (0..<5).map { _ in UUID() }
                            let verdicts = try await writer.write(
                                ids.map { MaintenanceFixture.response(old, id: $0) }
                                    + ids.map { MaintenanceFixture.arrival(old, id: $0, at: old) })
                            #expect(verdicts.allSatisfy { $0.outcome == .accepted })
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<10 { _ = try? await step() }
                }
                try await group.waitForAll()
            }
        }
        try await expectCounted(40 + 5 * 2 * 20 * 5)
    }

    @Test("while verify recounts, a day is not exchanged, and the next run does it")
    func whileVerifying() async throws {
        try await fill()
        let (database, now) = (bench.database, bench.now)
        var settings = MaintenanceSettings()
        settings.leastPackedBytes = 45_000
        let (verification, report) = try await bench.database.pool.withConnection { [settings] connection in
            var report: MaintenanceReport?
            let verification = try Verification.run(on: connection) { _ in
                guard report == nil else { return }
                report = try? Maintenance(settings).run(now: now, on: database.connect())
            }
            return (verification, report)
        }
        #expect(report?.daysPacked == [])
        #expect(report?.daysToPack == 1)
        #expect(verification.notifications == 40)
        #expect(verification.differences == [])
        #expect(try await maintain().daysPacked.count == 1)
        try await expectCounted(40)
    }

    @Test("a packed day that has grown by half is packed once more")
    func again() async throws {
        try await fill(500)
        #expect(try await maintain().daysPacked.count == 1)
        #expect(try await maintain().daysPacked.count == 0)
        try await fill(2_000)
        #expect(try await maintain().daysPacked.count == 1)
        #expect(try await partition() == [MaintenanceFixture.name(old)])
        #expect(try await maintain().daysPacked.count == 0)
        try await expectCounted(2_500)
        // Partitions are still found under either name.
        #expect(
            try await bench.writer().write([MaintenanceFixture.response(old)]).map(\.outcome) == [.accepted])
    }

    @Test("young and small days are not packed, and none if it is off")
    func notDue() async throws {
        try await fill()
        #expect(try await maintain { $0.packedAfter = nil }.daysPacked == [])
        #expect(try await maintain { $0.packedAfter = .days(20) }.daysPacked == [])
        #expect(try await maintain { $0.leastPackedBytes = 1 << 20 }.daysPacked == [])
        #expect(try await maintain { $0.packedAfter = .days(19) }.daysPacked.count == 1)
    }

    @Test("a day past the retention is dropped, packed or being packed", arguments: 1...3)
    func dropped(steps: Int) async throws {
        try await fill()
        _ = try await bench.writer().write([MaintenanceFixture.response(bench.now)])
        for _ in 0..<steps { _ = try await step() }
        let report = try await maintain(retention: .days(15))
        #expect(report.daysDropped.contains(old.startOfUTCDay))
        #expect(try await partition() == [])
        try await expectNoRest()
        let verdicts = try await bench.writer().write([MaintenanceFixture.response(old)])
        guard case .rejected(let rejection) = verdicts[0].outcome else {
            Issue.record("\(verdicts)")
            return
        }
        #expect(rejection.code == .tooOld)
        try await expectCounted(1)
    }

    @Test("a day that is not over is not packed")
    func notOver() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await bench.database.pool.withConnection { [now = bench.now] in
                _ = try $0.query(.Maintenance.packPartition, [.value(now)])
            }
        }
        #expect(error?.sqlState?.rawValue == "22023")
    }
}
