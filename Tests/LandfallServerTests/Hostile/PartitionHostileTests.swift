import Access
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import Testing
import Vault

@testable import LandfallServer

/// Clients that use the device key to create a partition for every day of the retention, or of the future.
@Suite(.database) struct PartitionHostileTests {
    private func partitions() async throws -> Int64 {
        try await TestDatabase.current.count(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'landfall.delivery'::regclass")
    }

    private func click(_ number: Int, at instant: Instant) -> String {
        #"{"type":"click","notification_id":"\#(notificationID(number, at: instant))"}"#
    }

    private func response(_ number: Int, at instant: Instant) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number, at: instant))","provider":"apns","status":200,\
        "channel":"news"}
        """
    }

    @Test("ids of past days create the partitions of the last 14 days only")
    func past() async throws {
        try await TestServer.run { server in
            let now = Instant.now
            let bomb = (1...70).map { click($0, at: now - .days(5 * Int64($0))) }.joined(separator: "\n")
            let bombed = try await server.post(bomb, as: .device)
            // 5 and 10 days ago, each with the day after it.
            #expect(bombed.counts == [2, 0, 68])
            #expect(bombed.itemErrors == (2..<70).map { "\($0):too_old" })
            #expect(try await partitions() == 4)
            for days in 0...13 {
                _ = try await server.post(click(100, at: now - .days(Int64(days))), as: .device)
            }
            #expect(try await partitions() <= 16)
        }
    }

    @Test("ids without a time, and a time that the device states, create none either")
    func stated() async throws {
        try await TestServer.run { server in
            let (old, recent) = (Instant.now - .days(300), Instant.now - .days(3))
            let posted = try await server.post(
                [old, recent].map {
                    #"{"type":"arrival","notification_id":"\#(UUID())","sent_at":"\#($0.rfc3339)"}"#
                }.joined(separator: "\n"), as: .device)
            #expect(posted.itemErrors == ["0:too_old"])
            #expect(try await partitions() == 2)
        }
    }

    @Test("ids of the future create the days of at most 24 hours")
    func future() async throws {
        try await TestServer.run { server in
            let posted = try await server.post(
                (1...60).map { click($0, at: .now + .hours(Int64($0))) }.joined(separator: "\n"), as: .device)
            #expect(posted.counts[0] <= 24 && posted.counts[2] >= 36)
            #expect(Set(posted.itemErrors.map { $0.split(separator: ":")[1] }) == ["in_future"])
            #expect(try await partitions() <= 3)
        }
    }

    @Test(
        "the events next to a bomb count, and a late phone's event does once a server has posted about its day"
    )
    func honest() async throws {
        try await TestServer.run { server in
            let (today, long) = (Instant.now - .minutes(5), Instant.now - .days(40))
            _ = try await server.post(response(1, at: today))
            let mixed = [click(2, at: long), click(1, at: today), click(3, at: .now - .days(90))]
            let posted = try await server.post(mixed.joined(separator: "\n"), as: .device)
            #expect(posted.counts == [1, 0, 2])
            #expect(posted.itemErrors == ["0:too_old", "2:too_old"])
            let alone = try await server.post(click(2, at: long), as: .device)
            #expect(alone.status == 422)
            #expect(alone.detail?.contains("no server has posted anything of that day") == true)

            _ = try await server.post(response(4, at: long))
            #expect(try await server.post(click(2, at: long), as: .device).counts == [1, 0, 0])
        }
    }

    @Test("a batch with a bomb, a server's history and a device's event about it loses only the bomb")
    func batch() async throws {
        let database = TestDatabase.current
        let (bombed, kept) = (Instant.now - .days(200), Instant.now - .days(100))
        func item(_ text: String, _ poster: EventValidator.Poster, app: Int64 = firstApp) -> BatchItem {
            let bytes = Array(text.utf8)[...]
            return BatchItem(
                appID: app, text: bytes, poster: poster,
                content: EventValidator(appID: app, poster: poster, now: .now).decode(bytes))
        }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(testTokenKey),
            taxonomy: try await database.pool.withConnection { try RejectionTaxonomy(from: $0) },
            logger: Logger(label: "test"))
        let verdicts = try await writer.write([
            item(click(1, at: bombed), .device, app: 2), item(response(2, at: kept), .server),
            item(click(2, at: kept), .device), item(click(3, at: .now), .device),
        ])
        #expect(verdicts.dropFirst().map(\.outcome) == [.accepted, .accepted, .accepted])
        guard case .rejected(let rejection) = verdicts[0].outcome else {
            Issue.record("the bomb was recorded")
            return
        }
        #expect(rejection.code == .tooOld)
        #expect(
            try await database.pool.withConnection { try Verification.run(on: $0) }.differences.isEmpty)
    }
}
