import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite(.database) struct RetentionTests {
    private let bench = MaintenanceFixture()
    private var old: Instant { bench.now - .days(10) }

    @Test("partitions are created for today and the next seven days, once")
    func ahead() async throws {
        #expect(try await bench.maintain().daysMade == 8)
        let expected = (0...7).map { MaintenanceFixture.name(bench.now + .days($0)) }
        let partitions = try await bench.partitions()
        #expect(partitions == expected)
        #expect(try await bench.maintain().daysMade == 0)
    }

    @Test("the longest retention that a server was started with is stored; a shorter one changes nothing")
    func promise() async throws {
        let read = try await bench.database.pool.withConnection { connection in
            [
                try RetentionSetting.read(on: connection),
                try RetentionSetting.lengthen(to: .days(90), on: connection),
                try RetentionSetting.lengthen(to: .days(500), on: connection),
                try RetentionSetting.lengthen(to: .days(4), on: connection),
                try RetentionSetting.read(on: connection),
            ]
        }
        #expect(read == [nil, .days(90), .days(500), .days(500), .days(500)])
    }

    @Test("eight concurrent sessions that create the same day all find it")
    func racing() async throws {
        let (url, day) = (bench.database.url, bench.now)
        for offset in Int64(0)..<10 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try TestDatabase.connect(to: url)
                            .query(.Ingestion.ensurePartition, [.value(day + .days(offset))])
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await bench.partitions().count == 10)
    }

    @Test("a day past the retention is dropped; its counters stay, and verify does not miss its rows")
    func drops() async throws {
        let writer = try await bench.writer()
        _ = try await writer.write([
            MaintenanceFixture.response(old), MaintenanceFixture.response(old),
            MaintenanceFixture.response(bench.now),
        ])
        let report = try await bench.maintain()
        // The writer also created the day after the old one.
        #expect(report.daysDropped == [old.startOfUTCDay, old.startOfUTCDay + .days(1)])
        #expect(try await bench.partitions().first == MaintenanceFixture.name(bench.now))
        let verification = try await bench.verify()
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 1)
        #expect(try await accepted() == 3)
        #expect(try await bench.maintain().daysDropped.isEmpty)
    }

    @Test("a day is kept while any part of it is within the retention")
    func keeps() async throws {
        let first = (bench.now - .days(5)).startOfUTCDay
        _ = try await bench.writer().write([MaintenanceFixture.response(first)])
        #expect(try await bench.maintain().daysDropped.isEmpty)
        #expect(try await bench.verify().notifications == 1)
    }

    @Test("dates of dropped notifications are removed with them, others stay")
    func dates() async throws {
        let (gone, kept) = (UUID(), UUID())
        _ = try await bench.writer().write([
            MaintenanceFixture.response(old, id: gone), MaintenanceFixture.response(bench.now, id: kept),
        ])
        #expect(try await bench.maintain().datesRemoved == 1)
        let ids = try await bench.database.query("SELECT notification_id FROM landfall.notification_date") {
            try $0.get(0, as: UUID.self)
        }
        #expect(ids == [kept])
    }

    @Test("recipients of dropped messages are removed with them, others stay")
    func recipients() async throws {
        let (gone, kept) = (UUID(), UUID())
        _ = try await bench.writer().write([
            bench.response(old, message: gone), bench.response(bench.now, message: kept),
        ])
        #expect(try await bench.maintain().recipientsRemoved == 1)
        let ids = try await bench.database.query("SELECT message_id FROM landfall.message_recipient") {
            try $0.get(0, as: UUID.self)
        }
        #expect(ids == [kept])
    }

    @Test("events of the day that is being dropped are recorded or too old, and those of others are recorded")
    func whileDropping() async throws {
        let writers = [try await bench.writer(shard: 0), try await bench.writer(shard: 1)]
        let (old, now) = (old, bench.now)
        var recorded = 0
        for _ in 0..<10 {
            recorded += try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in writers {
                    group.addTask {
                        let verdicts = try await writer.write(
                            [old, now, old, now].map { MaintenanceFixture.response($0) })
                        #expect(verdicts[1].outcome == .accepted)
                        #expect(verdicts[3].outcome == .accepted)
                        return verdicts.count { $0.outcome == .accepted || !isTooOld($0) }
                    }
                }
                group.addTask {
                    try await bench.maintain()
                    return 0
                }
                return try await group.reduce(0, +)
            }
            #expect(try await bench.verify().differenceCount == 0)
        }
        try await bench.maintain()
        #expect(try await bench.partitions().contains(MaintenanceFixture.name(old)) == false)
        #expect(try await accepted() == Int64(recorded))
        let verification = try await bench.verify()
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 10 * 4)
    }

    @Test("events of a day that another server dropped are too old: repeated ones would count twice")
    func droppedElsewhere() async throws {
        let writer = try await bench.writer()
        _ = try await writer.write([
            MaintenanceFixture.response(old), MaintenanceFixture.response(bench.now),
        ])
        try await bench.maintain()
        let verdicts = try await writer.write([
            MaintenanceFixture.response(old), MaintenanceFixture.arrival(bench.now),
        ])
        #expect(isTooOld(verdicts[0]))
        #expect(verdicts[1].outcome == .accepted)
        #expect(try await bench.partitions().contains(MaintenanceFixture.name(old)) == false)
        #expect(try await accepted() == 2)
    }

    private func isTooOld(_ verdict: Verdict) -> Bool {
        guard case .rejected(let rejection) = verdict.outcome else { return false }
        return rejection.code == .tooOld
    }

    @Test("while verify recounts, a day is not dropped, and the next run drops it")
    func whileVerifying() async throws {
        _ = try await bench.writer().write([
            MaintenanceFixture.response(old - .days(1)), MaintenanceFixture.response(bench.now),
        ])
        let settings = MaintenanceSettings(retention: .days(5))
        let (url, now) = (bench.database.url, bench.now)
        let (verification, report) = try await bench.database.pool.withConnection { connection in
            var report: MaintenanceReport?
            let verification = try Verification.run(on: connection) { _ in
                guard report == nil else { return }
                report = try? Maintenance(settings).run(now: now, on: TestDatabase.connect(to: url))
            }
            return (verification, report)
        }
        #expect(report?.daysDropped == [])
        #expect(report?.daysPostponed.count == 2)
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 2)
        #expect(try await bench.maintain().daysDropped.count == 2)
    }

    @Test("a run that is told to stop drops nothing")
    func stopped() async throws {
        _ = try await bench.writer().write([
            MaintenanceFixture.response(old), MaintenanceFixture.response(bench.now),
        ])
        let report = try await bench.maintain(isStopped: { true })
        #expect(report.wasStopped)
        #expect(report.daysDropped.isEmpty)
        #expect(try await bench.maintain().daysDropped.count == 2)
    }

    private func accepted() async throws -> Int64 {
        try await bench.database.count("SELECT sum(accepted)::bigint FROM public.counted")
    }
}
