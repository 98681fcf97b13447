import DeliveryModel
import Foundation
import HTTPTypes
import Testing
import Trust

@testable import Access
@testable import Ingestion
@testable import LandfallServer

/// What requests with device keys pay, decided without a server. The clocks stand still.
@Suite struct UnprovenTrafficTests {
    private static let start = ContinuousClock.now
    private let start = Self.start
    private let hour = Instant.now.startOfHour
    private let limit = RateLimit(perSecond: 20, burst: 100)

    private func debts(capacity: Int = 100) -> AddressDebts {
        AddressDebts(limit, mostWaiting: 1_000, capacity: capacity, at: start)
    }

    private func address(_ number: Int) -> IPAddress {
        IPAddress(high: 0, low: IPAddress.v4Prefix | UInt64(number))
    }

    private func noise(_ count: Int) -> Charge { .registration(isNew: false, newValues: count) }

    // MARK: Debts

    @Test(
        "events that wait for a slow database take nothing from the burst, and honest ones leave no account")
    func waiting() {
        var debts = debts()
        for _ in 0..<1_000 { #expect(debts.begin(address(1), at: start).isGranted) }
        #expect(debts.begin(address(1), at: start) == .later)
        #expect(debts.begin(address(2), at: start).isGranted)
        for _ in 0..<1_000 { debts.settle(1, .none, of: address(1), at: start) }
        #expect(debts.count == 1)
        #expect(debts.begin(address(1), at: start).remaining == 99)
    }

    @Test("noise that waited becomes a debt: over time no more than the rate gets through")
    func debt() {
        var debts = debts()
        var granted = 0
        for second in 0..<100 {
            let now = start + .seconds(second)
            var waiting = 0
            while debts.begin(address(1), at: now).isGranted { waiting += 1 }
            for _ in 0..<waiting { debts.settle(1, .request, of: address(1), at: now) }
            granted += waiting
        }
        #expect((1_000...100 + 1_000 + 20 * 100).contains(granted), "\(granted)")
    }

    @Test("a request of many events needs one token; its noise is paid afterward")
    func batches() {
        var debts = debts()
        #expect(debts.begin(address(1), at: start).isGranted)
        #expect(debts.add(99, to: address(1), at: start) == true)
        #expect(debts.add(901, to: address(1), at: start) == false)
        debts.settle(100, noise(100), of: address(1), at: start)
        let rejected = debts.begin(address(1), at: start)
        #expect(rejected.isGranted == false)
        #expect(rejected.wait == .milliseconds(50))
        #expect(debts.begin(address(1), at: start + .milliseconds(50)).isGranted)
    }

    @Test("a client with many addresses cannot have the account of an address that owes more dropped")
    func eviction() {
        var debts = debts()
        // 0 owes 300 tokens, and 1 has an event that waits.
        #expect(debts.begin(address(0), at: start).isGranted)
        #expect(debts.add(399, to: address(0), at: start) == true)
        debts.settle(400, noise(400), of: address(0), at: start)
        #expect(debts.begin(address(1), at: start).isGranted)
        for number in 2..<10_000 {
            #expect(debts.begin(address(number), at: start).isGranted)
            debts.settle(1, .request, of: address(number), at: start)
            #expect(debts.count <= 100)
        }
        #expect(debts.begin(address(0), at: start).isGranted == false)
        // The account of 1 is still there.
        #expect(debts.add(999, to: address(1), at: start) == true)
        #expect(debts.add(1, to: address(1), at: start) == false)
    }

    @Test("if there are too many accounts, the half that owes least is dropped")
    func leastDebts() {
        var debts = debts(capacity: 10)
        for number in (1...10).reversed() {
            #expect(debts.begin(address(number), at: start).isGranted)
            debts.settle(1, noise(number), of: address(number), at: start)
        }
        #expect(debts.count == 10)
        #expect(debts.begin(address(11), at: start).isGranted)
        #expect(debts.count == 6)
        for number in 6...10 { #expect(debts.begin(address(number), at: start).remaining == 99 - number) }
        #expect(debts.begin(address(5), at: start).remaining == 99)
    }

    @Test("the networks of an IPv6 site share ten times the noise of one")
    func sites() throws {
        var debts = AddressDebts(RateLimit(perSecond: 0.001, burst: 5), mostWaiting: 100, at: start)
        func pass(_ text: String) throws -> Bool {
            let address = try #require(IPAddress(text))
            guard debts.begin(address, at: start).isGranted else { return false }
            debts.settle(1, .request, of: address, at: start)
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

    // MARK: Tickets

    private func traffic(_ limit: RateLimit?, mostWaiting: Int = 100) -> UnprovenTraffic {
        var limits = ServerConfiguration.Limits()
        limits.deviceEvents = limit
        limits.deviceWaiting = mostWaiting
        limits.steadyTime = { Self.start }
        return UnprovenTraffic(limits, ServerMetrics()) { [clock = ServerClock()] _ in clock }
    }

    private func begin(
        _ traffic: UnprovenTraffic, quota: Int64 = 10_000
    ) throws -> (ticket: Ticket, fields: HTTPFields) {
        var credential = Credential(keyID: 1, kind: .device, app: App(appID: 1, slug: "shop"))
        credential.trust.deviceQuota = quota
        let admission = try traffic.begin(credential, from: address(1))
        return (try #require(admission.ticket), admission.fields)
    }

    @Test("a ticket is settled once; one without an outcome pays for one event")
    func tickets() throws {
        let traffic = traffic(RateLimit(perSecond: 0.001, burst: 2))
        func remaining() throws -> String? {
            let (ticket, fields) = try begin(traffic)
            defer { ticket.settle(.none) }
            return fields.map(\.value).last?.split(separator: ";").dropFirst().first.map(String.init)
        }
        for _ in 0..<5 { #expect(try remaining() == "r=1") }
        let ticket = try begin(traffic).ticket
        ticket.settle(.none)
        ticket.settle(.request)
        #expect(try remaining() == "r=1")
        do {
            let left = try begin(traffic).ticket
            #expect(try left.expect(3, device: nil, at: hour))
        }
        #expect(try remaining() == "r=0")
    }

    @Test("a request that is dropped before it is recorded takes nothing from the quota of its app")
    func dropped() throws {
        for burst in [limit, nil] {
            let traffic = traffic(burst)
            do {
                let first = try begin(traffic, quota: 10).ticket
                let second = try begin(traffic, quota: 10).ticket
                #expect(try first.expect(10, device: nil, at: hour))
                #expect(try !second.expect(1, device: nil, at: hour))
                second.settle(.none)
                #expect(first.mayAdd(.installations, at: hour))
            }
            let third = try begin(traffic, quota: 10).ticket
            #expect(try third.expect(10, device: nil, at: hour))
            third.settle(.none)
        }
    }

    @Test("an address of which nothing waits has room for any one request, however few events may wait")
    func largestRequest() throws {
        let traffic = traffic(limit, mostWaiting: 1)
        for _ in 0..<3 {
            let events = try begin(traffic).ticket
            try events.expect(100)
            let problem = #expect(throws: Problem.self) { _ = try begin(traffic) }
            #expect(problem?.code == "rate_limited")
            events.settle(.none)
            let registration = try begin(traffic).ticket
            try registration.expect(values: FieldLimits.tokens)
            registration.settle(.none)
        }
        var limits = ServerConfiguration.Limits()
        (limits.deviceItems, limits.deviceWaiting) = (5_000, 300)
        #expect(limits.mostWaiting == 5_000)
        limits.itemsPerRequest = 1_000
        #expect(limits.mostWaiting == 1_000)
        limits.itemsPerRequest = 1
        #expect(limits.mostWaiting == 300)
        limits.deviceWaiting = 1
        #expect(limits.mostWaiting == FieldLimits.tokens)
    }

    @Test("registrations wait as what they may owe, and those of a crowd with a few tokens each pass")
    func registrations() throws {
        let traffic = traffic(RateLimit(perSecond: 0.001, burst: 10))
        let crowd = try (0..<100).map { _ in try begin(traffic).ticket }
        for ticket in crowd { try ticket.expect(values: 3) }
        for ticket in crowd { ticket.settle(.none) }

        let attackers = try (0..<20).map { _ in try begin(traffic).ticket }
        var passed = 0
        for ticket in attackers {
            do {
                try ticket.expect(values: 50)
                passed += 1
            } catch {
                #expect(error.code == "rate_limited")
                #expect(error.headers[.retryAfter] == "1")
            }
        }
        #expect(passed == 1)
        for ticket in attackers { ticket.settle(.none) }
    }

    // MARK: Prices

    private func item(_ id: UUID, _ kind: DeviceReport.Kind = .click, isSigned: Bool = false) -> BatchItem {
        var report = DeviceReport(kind: kind)
        report.isSigned = isSigned
        return BatchItem(
            appID: 1, text: [],
            content: .success(Event(notificationID: id, sentAt: nil, content: .device(report))))
    }

    private let matched = Verdict(outcome: .accepted, isMatched: true)

    @Test("events pay unless their notification has a response or their receipt is valid")
    func payers() {
        let plain = item(UUID())
        let signed = item(UUID(), isSigned: true)
        let rejected = Verdict.rejected(ItemRejection(.tooOld, ""))
        #expect(Charge(of: [plain], [matched]).noise == 0)
        #expect(Charge(of: [plain], [.accepted]).noise == 1)
        #expect(Charge(of: [plain], [.duplicate]) == .request)
        #expect(Charge(of: [plain], [rejected]) == .request)
        #expect(Charge(of: [signed], [.accepted]) == .none)
        #expect(Charge(of: [signed], [rejected]) == .request)
        #expect(Charge(of: [], []) == .request)
        #expect(Charge(of: [plain, signed, plain], [.accepted, .accepted, rejected]).noise == 2)
    }

    @Test("unmatched events and those beyond the quota count in it; matched ones are a credit")
    func uses() {
        let (plain, signed) = (item(UUID()), item(UUID(), isSigned: true))
        let verdicts = [matched, .accepted, .accepted, .duplicate, Verdict(outcome: .overQuota)]
        let charge = Charge(of: [plain, plain, signed, plain, plain], verdicts)
        #expect(charge.confirmed == 1)
        #expect(Subject.allCases.map { charge.use.recorded[$0] } == [1, 0, 0])
        #expect(Subject.allCases.map { charge.use.rejected[$0] } == [1, 0, 0])
        #expect(charge.noise == 3)
    }

    @Test("new installations and new values pay, and count in their quotas")
    func registrationPrices() {
        func price(_ isNew: Bool, _ values: Int) -> [Int64] {
            let charge = Charge.registration(isNew: isNew, newValues: values)
            return [Int64(charge.noise)] + Subject.allCases.map { charge.use.recorded[$0] }
        }
        #expect(price(false, 0) == [0, 0, 0, 0])
        #expect(price(false, 3) == [3, 0, 0, 3])
        #expect(price(true, 0) == [1, 0, 1, 0])
        #expect(price(true, 5) == [1, 0, 1, 5])
        #expect(price(true, 50) == [46, 0, 1, 50])
        #expect(Charge.rejected(.values).noise == 1)
        #expect(Charge.rejected(.values).use.rejected[.values] == 1)
        #expect(Charge(of: .tooManyRequests) == .none)
        #expect(Charge(of: .serviceUnavailable) == .none)
        #expect(Charge(of: .forbidden) == .request)
    }

    @Test(
        "the receipt of a message, which all of its devices have, does not make up for devices that do not exist"
    )
    func messages() {
        var report = DeviceReport(kind: .arrival)
        report.isSigned = true
        let event = Event(.message(UUID(), deviceID: UUID()), sentAt: nil, content: .device(report))
        let item = BatchItem(appID: 1, text: [], content: .success(event))
        #expect(Charge(of: [item], [.accepted]).noise == 1)
        #expect(Charge(of: [item], [matched]).noise == 0)
    }

    @Test("a few repeats of a true event are free, whoever posts them; the rest pay until the minute is over")
    func repeats() throws {
        let id = UUID()
        let repeated = Verdict(outcome: .duplicate, isMatched: true)
        let charge = Charge(of: [item(id), item(id), item(id, .arrival)], [repeated, repeated, repeated])
        #expect(charge.noise == 0)
        #expect(charge.repeats.count == 3)
        #expect(charge.repeats[0] == charge.repeats[1])
        #expect(charge.repeats[0] != charge.repeats[2])

        var recent = RecentRepeats(at: start)
        let hash = charge.repeats[0]
        #expect((0..<5).map { _ in recent.isFree(hash, at: start) } == [true, true, true, false, false])
        #expect(recent.isFree(hash &+ 1, at: start) == true)
        #expect(recent.isFree(hash, at: start + .seconds(59)) == false)
        #expect(recent.isFree(hash, at: start + .seconds(61)) == true)
    }
}
