internal import Access
internal import CoreMetrics
internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import PrometheusMetrics
internal import Synchronization
internal import Trust

/// Bounds what requests with device keys, which anyone can read, post without a proof (docs/trust.md): how
/// fast one address may, how much of it may be in flight, and how much all devices of an app may add in an
/// hour. What is proven is free.
final class UnprovenTraffic: Sendable {
    /// The only lock. It is never held while another one is taken.
    fileprivate let ledger: Mutex<UnprovenLedger>
    fileprivate let steadyTime: @Sendable () -> ContinuousClock.Instant
    private let clock: @Sendable (CellNumber) -> ServerClock
    /// Shown only if addresses have a limit.
    private let policy: RatePolicy
    private let rejections: RateLimitRejections
    private let beyondQuota: [Subject: Counter]

    /// - Parameter clock: returns the clock of a cell.
    init(
        _ limits: ServerConfiguration.Limits, _ metrics: ServerMetrics,
        clock: @escaping @Sendable (CellNumber) -> ServerClock
    ) {
        self.clock = clock
        steadyTime = limits.steadyTime
        policy = RatePolicy(
            name: "device-key", limit: limits.deviceEvents ?? RateLimit(perSecond: 1, burst: 1))
        let debts = limits.deviceEvents.map {
            AddressDebts($0, mostWaiting: limits.mostWaiting, at: limits.steadyTime())
        }
        ledger = Mutex(UnprovenLedger(debts: debts))
        rejections = metrics.rateLimits
        let counters = Subject.allCases.map { subject in
            let label = [("subject", "\(subject)")]
            return Counter(
                label: MetricCatalog.quotaExceeded.name, dimensions: label, factory: metrics.factory)
        }
        beyondQuota = Dictionary(uniqueKeysWithValues: zip(Subject.allCases, counters))
    }

    /// Lets a request begin. It waits, as one event, until its ticket is settled.
    ///
    /// - Throws: 429 if the address has no token left, or too much of it waits.
    func begin(
        _ credential: Credential, from address: IPAddress
    ) throws(Problem) -> CallerLimits.Admission {
        let claim = Claim(
            appID: credential.app.appID, minimum: credential.trust.deviceQuota, address: address,
            cell: credential.app.cell)
        let now = steadyTime()
        guard let allowance = ledger.withLock({ $0.debts?.begin(address, at: now) }) else {
            return CallerLimits.Admission(ticket: Ticket(self, claim))
        }
        guard allowance.isGranted else { throw beyondLimit(allowance) }
        return CallerLimits.Admission(ticket: Ticket(self, claim), fields: policy.fields(allowance))
    }

    /// Counts events that a server's responses confirmed.
    func confirmLate(_ count: Int, of appID: Int64, in cell: CellNumber) {
        guard count > 0 else { return }
        let now = clock(cell).now
        ledger.withLock { $0.apps[cell, default: .init()].confirmLate(Int64(count), of: appID, at: now) }
    }

    /// Access for the exchange with other servers (`QuotaWatch`).
    func withApps<Value: Sendable>(of cell: CellNumber, _ body: (inout AppAccounts) -> Value) -> Value {
        ledger.withLock { ledger in body(&ledger.apps[cell, default: .init()]) }
    }

    fileprivate func settle(_ claim: Claim, _ charge: Charge) {
        for subject in Subject.allCases where charge.use.rejected[subject] > 0 {
            beyondQuota[subject]?.increment(by: charge.use.rejected[subject])
        }
        let (steady, wall) = (steadyTime(), clock(claim.cell).now)
        ledger.withLock { ledger in
            ledger.debts?.settle(claim.events, charge, of: claim.address, at: steady)
            ledger.apps[claim.cell, default: .init()].settle(claim, charge, at: wall)
        }
    }

    /// Counts a request beyond the limit of its address, and returns the response to it.
    fileprivate func beyondLimit(_ allowance: TokenBucket.Allowance) -> Problem {
        rejections.count(.device)
        return policy.problem(
            allowance,
            "too many events from this address are about nothing that is known: repeat the request later, unchanged"
        )
    }
}

/// The state of ``UnprovenTraffic``.
private struct UnprovenLedger: Sendable {
    /// `nil` if addresses have no limit.
    var debts: AddressDebts?
    /// The accounts of each cell, because each has a clock of its own.
    var apps: [CellNumber: AppAccounts] = [:]

    /// Lets a request wait as this many events. Returns false if too many events of its address do.
    mutating func wait(_ events: Int, _ claim: inout Claim, at now: ContinuousClock.Instant) -> Bool {
        let more = events - claim.events
        guard more > 0 else { return true }
        guard debts?.add(more, to: claim.address, at: now) ?? true else { return false }
        claim.events = events
        return true
    }
}

/// A request with a device key that waits for its outcome.
struct Claim: Sendable {
    let appID: Int64
    /// The app's quota, if it has fewer responses.
    let minimum: Int64
    let address: IPAddress
    var cell = CellNumber.front
    /// The device that the events name, if they name one.
    var device: UUID?
    /// The number of events that wait for their price; 0 once the claim is settled.
    var events = 1
    /// The number of events that wait to be recorded, and count in the quota.
    var ofQuota: Int64 = 0
}

/// The account of one request with a device key. The code that learns the outcome settles it; a request
/// without an outcome, such as one whose connection was lost, pays as much as one event.
final class Ticket: Sendable {
    private let traffic: UnprovenTraffic
    private let claim: Mutex<Claim>

    fileprivate init(_ traffic: UnprovenTraffic, _ claim: Claim) {
        self.traffic = traffic
        self.claim = Mutex(claim)
    }

    /// Lets the events of the request wait for their verdicts.
    ///
    /// - Parameter device: the device that the events name, if they name one.
    /// - Returns: false if the quota of the app is spent, or the client's share of it: then only confirmed
    ///   events may be recorded.
    /// - Throws: 429 if too many events of the address wait.
    func expect(_ events: Int, device: UUID?, at now: Instant) throws(Problem) -> Bool {
        let steady = traffic.steadyTime()
        let mayAdd = change { ledger, claim -> Bool? in
            guard ledger.wait(events, &claim, at: steady) else { return nil }
            claim.device = device
            return ledger.apps[claim.cell, default: .init()].begin(events, &claim, at: now)
        }
        guard let mayAdd else { throw traffic.beyondLimit(.later) }
        return mayAdd
    }

    /// Lets a registration wait as if all of its values were new. A known installation may owe four more than
    /// that: if it waited as all of them, a crowd of honest phones with a few tokens each would be rejected.
    ///
    /// - Throws: 429 if too many events of the address wait.
    func expect(values: Int) throws(Problem) {
        try expect(Charge.registration(isNew: true, newValues: values).noise)
    }

    /// Lets events wait before they are decoded: what is rejected must cost little.
    ///
    /// - Throws: 429 if too many events of the address wait.
    func expect(_ events: Int) throws(Problem) {
        // One waits since the request began.
        guard events > 1 else { return }
        let steady = traffic.steadyTime()
        guard change({ ledger, claim in ledger.wait(events, &claim, at: steady) }) else {
            throw traffic.beyondLimit(.later)
        }
    }

    /// Whether the request may register a new installation, or new values.
    func mayAdd(_ subject: Subject, at now: Instant) -> Bool {
        change { ledger, claim in ledger.apps[claim.cell, default: .init()].mayAdd(subject, claim, at: now) }
    }

    /// Only the first call counts.
    func settle(_ charge: Charge) {
        let settled = claim.withLock { claim in
            defer { (claim.events, claim.ofQuota) = (0, 0) }
            return claim
        }
        if settled.events > 0 { traffic.settle(settled, charge) }
    }

    deinit { settle(.request) }

    private func change<Value: Sendable>(_ body: (inout UnprovenLedger, inout Claim) -> Value) -> Value {
        claim.withLock { claim in traffic.ledger.withLock { ledger in body(&ledger, &claim) } }
    }
}

extension Problem {
    /// The quota is whole again in the next hour. Not all clients should come back in its first second.
    static func quotaExceeded(_ what: String, at now: Instant) -> Problem {
        let rest = (now.startOfHour + .hours(1) - now).milliseconds / 1_000
        return quotaExceeded(what, retryAfter: rest + .random(in: 1...300))
    }

    /// A notification's response is usually there within a minute, and confirms the event.
    static func unconfirmedEvents() -> Problem {
        quotaExceeded("events about notifications without a response", retryAfter: .random(in: 60...120))
    }

    private static func quotaExceeded(_ what: String, retryAfter seconds: Int64) -> Problem {
        Problem(
            .tooManyRequests, "quota_exceeded",
            "the devices of this app, or this address, posted too many \(what) within an hour: repeat the request later, "
                + "unchanged",
            headers: [.retryAfter: String(seconds)])
    }
}
