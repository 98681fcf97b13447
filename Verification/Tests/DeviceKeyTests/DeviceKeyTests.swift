import DeliveryModel
import Foundation
import PostgresClient
import Reports
import Simulation
import TestDatabase
import Testing
import Trust

/// Devices post their own events with a device key, all from one address. Every number must equal the truth.
@Suite(.databaseForLong) struct DeviceKeyTests {
    private var database: TestDatabase { .current }

    @Test(
        "a crowd of phones at a carrier's address waits for nothing, and every number equals the truth",
        .timeLimit(.minutes(40)))
    func carrier() async throws {
        try await DeviceKeyGround.use { ground in
            let day = try DeviceDay(endingAt: .now.startOfQuarter)
            let outcome = try await ground.client.post(day)
            #expect(outcome.throttled == 0)
            try await expect(outcome, of: day)
            #expect(try await ground.differences(from: day) == [:])
        }
    }

    @Test(
        "an attacker with the device key adds unmatched clicks and unused installations, and nothing else",
        .timeLimit(.minutes(40)))
    func stolenKey() async throws {
        try await DeviceKeyGround.use { ground in
            let day = try DeviceDay(endingAt: .now.startOfQuarter)
            let window = day.truth.windowStart..<day.truth.windowEnd
            let outcome = try await ground.client.post(day, meanwhile: StolenKey.requests(during: window))
            try await expect(outcome, of: day)
            #expect(outcome.accepted(.fillers) == 0)
            #expect(outcome.accepted(.oldDays) == 0)
            let clicks = Int64(outcome.accepted(.clicks))
            let installations = Int64(outcome.accepted(.registrations))
            let added = [
                "totals all unmatched": clicks, "reach installations audience": installations,
                "tokens tokens active": installations, "tokens tokens installations": installations,
                "tokens tokens audience": installations,
            ]
            #expect(try await ground.differences(from: day) == added.filter { $0.value > 0 })
            #expect(clicks > 0 && installations > 0)
        }
    }

    @Test(
        "while a sender changes the key of required receipts, every event counts, and as signed",
        .timeLimit(.minutes(40)))
    func receiptRotation() async throws {
        try await DeviceKeyGround.use(requiresReceipts: true) { ground in
            let day = try DeviceDay(endingAt: .now.startOfQuarter, receiptKeys: ground.receiptKeys)
            let outcome = try await ground.client.post(day)
            try await expect(outcome, of: day)
            #expect(try await ground.differences(from: day) == [:])
            let window = try ReportWindow(from: day.end - .days(1), to: day.end)
            let query = try ReportQuery(app: ground.app, window: window, timeZone: .utc)
            let funnel = try await database.pool.withConnection {
                try FunnelReport.run(query, on: $0, now: .now)
            }
            #expect(funnel.totals[.confirmedSigned] == Int64(day.truth.totals.confirmed))
        }
    }

    /// Every item got a verdict, none was rejected, and counters equal the rows.
    private func expect(_ outcome: DeviceKeyClient.Outcome, of day: DeviceDay) async throws {
        let posted = day.slices.reduce(0) { $0 + $1.senderEvents.count + $1.deviceEvents.count }
        #expect(outcome.verdicts.received == posted)
        #expect(outcome.verdicts.rejected == 0)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }
}

@Suite("Traffic that devices post themselves")
struct DeviceTrafficTests {
    /// Monday, 2 March 2026, 18:00 UTC.
    private static let end = Instant(millisecondsSinceEpoch: 1_772_474_400_000)

    @Test(
        "an attacker's requests are the same every time, no part of the traffic, and within a device's limits"
    )
    func attack() throws {
        let day = try DeviceDay(endingAt: Self.end)
        let window = day.truth.windowStart..<day.truth.windowEnd
        let requests = StolenKey.requests(during: window)
        #expect(requests == StolenKey.requests(during: window))
        #expect(Set(requests.map(\.kind)) == Set(ForgedRequest.Kind.allCases))
        #expect(requests.allSatisfy { $0.itemCount <= 100 && $0.body.count <= 256 << 10 })
        #expect(requests.allSatisfy { ($0.kind == .registrations) == ($0.deviceID != nil) })
        #expect(requests.allSatisfy { $0.deviceID.map { UUID(uuidString: $0) != nil } ?? true })
        let events = day.slices.flatMap { $0.senderEvents + $0.deviceEvents }
        let real = Set(try events.map { try DayEvent($0).notificationID })
        for request in requests where request.kind == .clicks {
            let clicks = try request.body.split(separator: UInt8(ascii: "\n")).map { try DayEvent($0) }
            #expect(clicks.count == request.itemCount)
            #expect(clicks.allSatisfy { window.contains($0.sentAt) && !real.contains($0.notificationID) })
        }
    }

    @Test("the sender signs with the first key, and from the middle of the day on with the second")
    func receipts() throws {
        let keys = (0..<2).map { _ in SigningKey.randomText(.receipt) }
        let day = try DeviceDay(endingAt: Self.end, receiptKeys: keys)
        let middle = (day.truth.windowStart + day.truth.windowEnd) / 2
        var signed = [0, 0]
        for slice in day.slices {
            for json in slice.senderEvents { #expect(try DayEvent(json).receipt == nil) }
            for json in slice.deviceEvents {
                let event = try DayEvent(json)
                let receipt = try #require(event.receipt.flatMap { Receipt($0) })
                let position = event.sentAt < middle ? 0 : 1
                #expect(receipt.isValid(for: event.notificationID, keys: [SigningKey(keys[position])]))
                signed[position] += 1
            }
        }
        #expect(signed.allSatisfy { $0 > 10 })
    }
}
