import DeliveryModel
import Foundation
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@testable import Ingestion

@Suite(.database) struct MaintenanceTests {
    private let bench = MaintenanceFixture()

    @Test("a completed run is noted, and a stopped one is not")
    func noted() async throws {
        let noted = {
            try await bench.database.query(
                "SELECT convert_from(value, 'UTF8')::bigint FROM landfall.setting WHERE name = 'maintained_at'"
            ) { try $0.get(0, as: Int64.self) }
        }
        try await bench.maintain(isStopped: { true })
        #expect(try await noted() == [])
        try await bench.maintain()
        #expect(try await noted() == [bench.now.millisecondsSinceEpoch])
    }

    @Test("while one session maintains, another learns of it and does nothing; afterward it may")
    func locked() async throws {
        let other = try bench.database.connect()
        let held = try #require(try other.hold(.maintenance))
        await #expect(throws: LockTaken(.maintenance)) { try await bench.maintain() }
        #expect(try await bench.partitions().isEmpty)
        held.release()
        #expect(try await bench.maintain().daysMade == 8)
    }

    @Test("four concurrent runs do the work once")
    func atOnce() async throws {
        let made = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do {
                        return try await bench.maintain().daysMade
                    } catch is LockTaken {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(made == 8)
    }

    @Test("responses about messages that were not moved when their token was registered move to its device")
    func claims() async throws {
        let messages = [UUID(), UUID()]
        _ = try await bench.writer().write(messages.map { bench.response(bench.now, message: $0) })
        #expect(try await bench.maintain().messagesClaimed == 0)
        let phone = UUID()
        try await bench.database.pool.withTransaction { [now = bench.now, key = bench.key] connection in
            var registration = Registration(deviceID: phone, registeredAt: now)
            registration.tokens = [MaintenanceFixture.address]
            _ = try DeviceRegistry(vault: TokenVault(key))
                .register(registration, appID: firstApp, now: now, on: connection)
        }
        #expect(try await bench.maintain().messagesClaimed == 2)
        #expect(try await bench.maintain().messagesClaimed == 0)
        let ids = try await bench.database.query("SELECT notification_id FROM landfall.delivery") {
            try $0.get(0, as: UUID.self)
        }
        #expect(Set(ids) == Set(messages.map { .notification(ofMessage: $0, toDevice: phone) }))
        let verification = try await bench.verify()
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 2)
    }

    @Test("lowered limits hold after the next run")
    func lowered() async throws {
        let quarantine = Quarantine(vault: TokenVault(bench.key))
        let items = (0..<20).map { number in
            BatchItem(
                appID: firstApp, text: Array("garbage \(number)".utf8)[...],
                content: .failure(ItemRejection(.invalidJSON, "no event")))
        }
        var settings = MaintenanceSettings()
        settings.quarantine.items = 5
        let report = try await bench.database.pool.withConnection { [settings] connection in
            try connection.transaction { try quarantine.keep(items, now: .now, shard: 0, on: connection) }
            return try Maintenance(settings).run(now: .now, on: connection)
        }
        #expect(report.itemsEvicted == 15)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.quarantined_item") == 5)
    }
}
