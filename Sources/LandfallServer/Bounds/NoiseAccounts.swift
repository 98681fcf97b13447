/// The noise of addresses: events that turned out to be about nothing known. A value with the time passed in.
///
/// An event pays when its outcome is known, and most pay nothing. Until then it only waits, so any number of honest devices
/// may share an address, however slow the database is. The number that may wait is bounded on its own: an address that sends only
/// noise gets at most that much into debt, and is rejected until the debt is refilled.
///
/// Only addresses with missing tokens or waiting events have an account.
struct NoiseAccounts<Address: Hashable & Sendable>: Sendable {
    private struct Account {
        var bucket: TokenBucket
        var waiting = 0
    }

    let limit: RateLimit
    let mostWaiting: Int
    private let capacity: Int
    /// The number of accounts at which those that owe least are dropped.
    private var crowd: Int
    private var accounts: [Address: Account] = [:]

    /// - Parameters:
    ///   - mostWaiting: the events of one address that may wait for their outcome.
    ///   - capacity: the number of accounts kept, about 60 bytes each.
    init(_ limit: RateLimit, mostWaiting: Int, capacity: Int = 100_000) {
        self.limit = limit
        self.mostWaiting = mostWaiting
        self.capacity = capacity
        crowd = capacity
    }

    var count: Int { accounts.count }

    /// Lets a request wait for its outcome, as one event, if a token is left and not too many wait.
    mutating func begin(_ address: Address, at now: ContinuousClock.Instant) -> TokenBucket.Allowance {
        var account = accounts[address] ?? newAccount(at: now)
        let allowance = account.bucket.allowance(limit, at: now)
        guard allowance.isGranted else { return allowance }
        guard account.waiting < mostWaiting else { return .later }
        account.waiting += 1
        accounts[address] = account
        return allowance
    }

    /// Lets further events of a request wait. Returns false if too many do.
    ///
    /// One token is enough for a request of any size: devices that were offline post many events at once.
    mutating func add(_ count: Int, to address: Address) -> Bool {
        guard let waiting = accounts[address]?.waiting, waiting + count <= mostWaiting else { return false }
        accounts[address]?.waiting += count
        return true
    }

    /// Ends the wait of events, of which some pay.
    mutating func end(_ count: Int, paying noise: Int, of address: Address, at now: ContinuousClock.Instant) {
        guard var account = accounts[address] else { return }
        account.waiting -= count
        if noise > 0 { account.bucket.pay(noise, limit, at: now) }
        accounts[address] = account.waiting == 0 && account.bucket.isFull(at: now) ? nil : account
    }

    private mutating func newAccount(at now: ContinuousClock.Instant) -> Account {
        if accounts.count >= crowd { makeRoom(at: now) }
        return Account(bucket: TokenBucket(at: now))
    }

    /// Drops accounts that nothing waits for, until half are left: first the ones whose bucket is full by now, then those that
    /// owe least. A client with many addresses thus drops its own accounts before those that owe more than each of these.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        var owed = Duration.zero
        while accounts.count > capacity / 2, owed <= limit.window + limit.interval * mostWaiting {
            accounts = accounts.filter { !($0.value.waiting == 0 && $0.value.bucket.isFull(at: now + owed)) }
            owed = max(owed * 2, limit.interval)
        }
        crowd = max(capacity, accounts.count * 2)
    }
}

extension TokenBucket.Allowance {
    /// A request that is rejected because too many events wait.
    static let later = Self(isGranted: false, remaining: 0, wait: .seconds(1))
}
