import DeliveryModel
import Foundation
import HTTPTypes
import Testing

@testable import Ingestion
@testable import LandfallServer

/// What an address pays for, decided without a server.
@Suite struct NoiseTests {
    private let start = ContinuousClock.now
    private let limit = RateLimit(perSecond: 20, burst: 100)

    private func accounts(capacity: Int = 100) -> NoiseAccounts<Int> {
        NoiseAccounts(limit, mostWaiting: 1_000, capacity: capacity)
    }

    // MARK: Accounts

    @Test(
        "events that wait for a slow database take nothing from the burst, and honest ones leave no account")
    func waiting() {
        var accounts = accounts()
        for _ in 0..<1_000 { #expect(accounts.begin(1, at: start).isGranted) }
        #expect(accounts.begin(1, at: start) == .later)
        #expect(accounts.begin(2, at: start).isGranted)
        for _ in 0..<1_000 { accounts.end(1, paying: 0, of: 1, at: start) }
        #expect(accounts.count == 1)
        #expect(accounts.begin(1, at: start).remaining == 99)
    }

    @Test("noise that waited becomes a debt: over time no more than the rate gets through")
    func debt() {
        var accounts = accounts()
        var granted = 0
        for second in 0..<100 {
            let now = start + .seconds(second)
            var waiting = 0
            while accounts.begin(1, at: now).isGranted { waiting += 1 }
            for _ in 0..<waiting { accounts.end(1, paying: 1, of: 1, at: now) }
            granted += waiting
        }
        #expect((1_000...100 + 1_000 + 20 * 100).contains(granted), "\(granted)")
    }

    @Test("a request of many events needs one token; its noise is paid afterward")
    func batches() {
        var accounts = accounts()
        #expect(accounts.begin(1, at: start).isGranted)
        #expect(accounts.add(99, to: 1) == true)
        #expect(accounts.add(901, to: 1) == false)
        accounts.end(100, paying: 100, of: 1, at: start)
        let rejected = accounts.begin(1, at: start)
        #expect(rejected.isGranted == false)
        #expect(rejected.wait == .milliseconds(50))
        #expect(accounts.begin(1, at: start + .milliseconds(50)).isGranted)
    }

    @Test("a client with many addresses cannot have the account of an address that owes more dropped")
    func eviction() {
        var accounts = accounts()
        // 0 owes 300 tokens, and 1 has an event that waits.
        #expect(accounts.begin(0, at: start).isGranted)
        #expect(accounts.add(399, to: 0) == true)
        accounts.end(400, paying: 400, of: 0, at: start)
        #expect(accounts.begin(1, at: start).isGranted)
        for address in 2..<10_000 {
            #expect(accounts.begin(address, at: start).isGranted)
            accounts.end(1, paying: 1, of: address, at: start)
            #expect(accounts.count <= 100)
        }
        #expect(accounts.begin(0, at: start).isGranted == false)
        // The account of 1 is still there.
        #expect(accounts.add(999, to: 1) == true)
        #expect(accounts.add(1, to: 1) == false)
    }

    // MARK: Addresses

    @Test("the networks of an IPv6 site share ten times the noise of one")
    func sites() throws {
        let limiter = NoiseLimiter(RateLimit(perSecond: 0.001, burst: 5), mostWaiting: 100)
        func pass(_ text: String) throws -> Bool {
            let address = try #require(IPAddress(text))
            guard let (toll, _) = try? limiter.begin(from: address) else { return false }
            toll.settle(.request)
            return true
        }
        let networks = (0..<20).map { "2001:db8:1:\($0)::1" }
        for _ in 0..<5 { #expect(try pass(networks[0])) }
        #expect(try pass(networks[0]) == false)
        #expect(try pass("2001:db8:1:0:ffff::2") == false)
        let others = try networks.dropFirst().flatMap { network in try (0..<5).map { _ in try pass(network) }
        }
        #expect(others.count { $0 } == 45)
        #expect(try pass("2001:db8:2::1"))
        #expect(try pass("192.0.2.1"))
    }

    @Test("a toll is settled once; an unsettled one pays for one event")
    func tolls() throws {
        let limiter = NoiseLimiter(RateLimit(perSecond: 0.001, burst: 2), mostWaiting: 100)
        let address = try #require(IPAddress("192.0.2.1"))
        func remaining() throws -> String? {
            let (toll, fields) = try limiter.begin(from: address)
            defer { toll.settle(.none) }
            return fields.map(\.value).last?.split(separator: ";").dropFirst().first.map(String.init)
        }
        for _ in 0..<5 { #expect(try remaining() == "r=1") }
        let (toll, _) = try limiter.begin(from: address)
        toll.settle(.none)
        toll.settle(.request)
        #expect(try remaining() == "r=1")
        do {
            let (left, _) = try limiter.begin(from: address)
            try left.expect(3)
        }
        #expect(try remaining() == "r=0")
    }

    // MARK: Events

    private func item(_ id: UUID, _ kind: DeviceReport.Kind = .click, isSigned: Bool = false) -> BatchItem {
        var report = DeviceReport(kind: kind)
        report.isSigned = isSigned
        return BatchItem(
            appID: 1, text: [],
            content: .success(Event(notificationID: id, sentAt: nil, content: .device(report))))
    }

    @Test("events pay unless their notification has a response or their receipt is valid")
    func payers() {
        let plain = item(UUID())
        let signed = item(UUID(), isSigned: true)
        let rejected = Verdict.rejected(ItemRejection(.tooOld, ""))
        #expect(Noise(of: [plain], [Verdict(outcome: .accepted, isMatched: true)]) == .none)
        #expect(Noise(of: [plain], [.accepted]) == .request)
        #expect(Noise(of: [plain], [.duplicate]) == .request)
        #expect(Noise(of: [plain], [rejected]) == .request)
        #expect(Noise(of: [signed], [.accepted]) == .none)
        #expect(Noise(of: [signed], [rejected]) == .request)
        #expect(Noise(of: [], []) == .request)
        #expect(Noise(of: [plain, signed, plain], [.accepted, .accepted, rejected]).count == 2)
    }

    @Test(
        "the receipt of a message, which all of its devices have, does not make up for devices that do not exist"
    )
    func messages() {
        var report = DeviceReport(kind: .arrival)
        report.isSigned = true
        let event = Event(.message(UUID(), deviceID: UUID()), sentAt: nil, content: .device(report))
        let item = BatchItem(appID: 1, text: [], content: .success(event))
        #expect(Noise(of: [item], [.accepted]) == .request)
        #expect(Noise(of: [item], [Verdict(outcome: .accepted, isMatched: true)]) == .none)
    }

    @Test("a few repeats of a true event are free, whoever posts them; the rest pay until the minute is over")
    func repeats() throws {
        let id = UUID()
        let matched = Verdict(outcome: .duplicate, isMatched: true)
        let noise = Noise(of: [item(id), item(id), item(id, .arrival)], [matched, matched, matched])
        #expect(noise.count == 0)
        #expect(noise.repeats.count == 3)
        #expect(noise.repeats[0] == noise.repeats[1])
        #expect(noise.repeats[0] != noise.repeats[2])

        var recent = RecentRepeats(at: start)
        let hash = noise.repeats[0]
        #expect((0..<5).map { _ in recent.isFree(hash, at: start) } == [true, true, true, false, false])
        #expect(recent.isFree(hash &+ 1, at: start) == true)
        #expect(recent.isFree(hash, at: start + .seconds(59)) == false)
        #expect(recent.isFree(hash, at: start + .seconds(61)) == true)
    }
}
