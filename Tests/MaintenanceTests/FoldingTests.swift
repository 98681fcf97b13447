import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite(.database) struct FoldingTests {
    private let bench = MaintenanceFixture()
    private var old: Instant { (bench.now - .days(3)).startOfQuarter }
    private static let tables = [("latency_rollup", "quarter"), ("intake_rollup", "hour")]

    private func shards(_ table: String, _ time: String) async throws -> [Int16] {
        try await bench.database.query(
            "SELECT DISTINCT shard FROM landfall.\(table) WHERE \(time) < $1 ORDER BY shard",
            [.value(bench.now - .days(2))]
        ) { try $0.get(0, as: Int16.self) }
    }

    private func liveRows(before: Instant) async throws -> Int64 {
        let rows = try await bench.database.query(
            "SELECT count(*) FROM landfall.counter_live WHERE quarter < $1", [.value(before)]
        ) { try $0.get(0, as: Int64.self) }
        return rows[0]
    }

    private func foldedRows(_ report: MaintenanceReport) -> [Int64] { report.folded.map(\.rows) }

    @Test("old counters of all writers become one row, new ones stay as they are, and sums are the same")
    func folds() async throws {
        for shard in Int16(0)..<3 {
            _ = try await bench.writer(shard: shard).write(
                [old, bench.now].flatMap { sentAt in
                    let id = UUID()
                    return [
                        MaintenanceFixture.response(sentAt), MaintenanceFixture.arrival(sentAt),
                        MaintenanceFixture.response(sentAt, status: 410),
                        MaintenanceFixture.response(sentAt, id: id),
                        MaintenanceFixture.arrival(sentAt, id: id, at: sentAt + .seconds(1)),
                    ]
                })
        }
        try await bench.database.execute(
            "UPDATE landfall.intake_rollup SET hour = hour - interval '3 days' WHERE shard = 2")
        let report = try await bench.maintain()
        #expect(
            report.folded.map(\.table) == [
                "counter_live", "latency_rollup", "intake_rollup", "version_rollup",
            ])
        #expect(foldedRows(report) == [12, 3, 1, 0])
        for (table, time) in Self.tables { #expect(try await shards(table, time) == [-1], "\(table)") }
        #expect(try await liveRows(before: old + .days(1)) == 0)
        #expect(try await liveRows(before: bench.now + .days(1)) == 12)
        #expect(try await bench.verify().differenceCount == 0)
        #expect(foldedRows(try await bench.maintain()) == [0, 0, 0, 0])
    }

    @Test("counters of versions are folded once their day has ended")
    func versions() async throws {
        let day = bench.now.startOfUTCDay
        for (daysAgo, shard) in [(3, 0), (3, 1), (3, 2), (2, 0), (0, 0), (0, 1)] as [(Int64, Int16)] {
            try await bench.database.execute(
                """
                INSERT INTO landfall.version_rollup (
                    app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
                ) VALUES (1, $1, 'ios', '7.1.0', $2, 100, 70, 2)
                """, [.value(day - .days(daysAgo)), .value(shard)])
        }
        let report = try await bench.maintain()
        #expect(report.folded.last?.rows == 4)
        let rows = try await bench.database.query(
            """
            SELECT shard::bigint, reportable, arrived_named, arrived_unnamed
              FROM landfall.version_rollup WHERE app_version = '7.1.0' ORDER BY day, shard
            """
        ) { row in try (0..<4).map { try row.get($0, as: Int64.self) } }
        #expect(
            rows == [
                [-1, 300, 210, 6], [-1, 100, 70, 2], [0, 100, 70, 2], [1, 100, 70, 2],
            ])
    }

    @Test("late events are folded onto what was folded before")
    func late() async throws {
        let writer = try await bench.writer()
        for _ in 0..<2 {
            _ = try await writer.write([MaintenanceFixture.response(old)])
            #expect(foldedRows(try await bench.maintain())[0] == 1)
        }
        #expect(try await bench.database.count("SELECT sum(attempted)::bigint FROM public.counted") == 2)
        #expect(try await bench.verify().differenceCount == 0)
    }

    @Test("nothing is lost or counted twice while four writers add to the counters that are folded")
    func whileWriting() async throws {
        let old = old
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                let writer = try await bench.writer(shard: Int16(number % 3))
                group.addTask {
                    var accepted = 0
                    for round in 0..<30 {
                        let sentAt = old + .minutes(Int64(round % 4) * 15)
                        let verdicts = try await writer.write(
                            (0..<5).flatMap { _ in
                                [MaintenanceFixture.response(sentAt), MaintenanceFixture.arrival(sentAt)]
                            })
                        accepted += verdicts.count { $0.outcome == .accepted }
                    }
                    return accepted
                }
            }
            for _ in 0..<15 {
                try await bench.maintain()
                #expect(try await bench.verify().differenceCount == 0)
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 4 * 30 * 10)
        try await bench.maintain()
        #expect(try await liveRows(before: bench.now) == 0)
        #expect(
            try await bench.database.count("SELECT sum(attempted)::bigint FROM public.counted")
                == 600)
        #expect(
            try await bench.database.count("SELECT sum(unmatched)::bigint FROM public.counted")
                == 600)
        #expect(try await bench.verify().differenceCount == 0)
    }
}
