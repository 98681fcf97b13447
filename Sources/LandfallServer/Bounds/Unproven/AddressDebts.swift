/// What addresses owe for events that turned out to be about nothing known. A value with the time passed in.
///
/// An event pays when its outcome is known, and most pay nothing. Until then it only waits, so any number of
/// honest devices may share an address, however slow the database is. The number that may wait has its own
/// bound: an address of only noise owes at most what waits, and is rejected until the debt is refilled.
///
/// An IPv4 address has an account, as has an IPv6 network (/64); its site (/48) has ten times as much.
struct AddressDebts: Sendable {
    private static let networksPerSite = 10

    private var networks: DebtTable
    /// A table of their own: a site and its first network are the same bits.
    private var sites: DebtTable
    private var repeats: RecentRepeats

    /// - Parameters:
    ///   - mostWaiting: the events of one address that may wait for their outcome.
    ///   - capacity: the number of accounts kept per table, about 60 bytes each.
    init(_ limit: RateLimit, mostWaiting: Int, capacity: Int = 100_000, at now: ContinuousClock.Instant) {
        let factor = Self.networksPerSite
        let ofSite = RateLimit(perSecond: limit.perSecond * Double(factor), burst: limit.burst * factor)
        networks = DebtTable(limit, mostWaiting: mostWaiting, capacity: capacity)
        sites = DebtTable(ofSite, mostWaiting: mostWaiting * factor, capacity: capacity)
        repeats = RecentRepeats(at: now)
    }

    var count: Int { networks.count + sites.count }

    /// Lets a request wait for its outcome, as one event, if a token is left and not too many wait.
    mutating func begin(_ address: IPAddress, at now: ContinuousClock.Instant) -> TokenBucket.Allowance {
        let allowance = networks.allowance(of: address.network, at: now)
        guard allowance.isGranted else { return allowance }
        if let site = address.site {
            let ofSite = sites.allowance(of: site, at: now)
            guard ofSite.isGranted else { return ofSite }
            sites.wait(1, site, at: now)
        }
        networks.wait(1, address.network, at: now)
        return allowance
    }

    /// Lets further events of a request wait. Returns false, and does nothing, if too many do.
    ///
    /// One token is enough for a request of any size: devices that were offline post many events at once.
    mutating func add(_ count: Int, to address: IPAddress, at now: ContinuousClock.Instant) -> Bool {
        guard networks.hasRoom(for: count, address.network) else { return false }
        if let site = address.site {
            guard sites.hasRoom(for: count, site) else { return false }
            sites.wait(count, site, at: now)
        }
        networks.wait(count, address.network, at: now)
        return true
    }

    /// Ends the wait of events, of which some pay.
    mutating func settle(
        _ count: Int, _ charge: Charge, of address: IPAddress, at now: ContinuousClock.Instant
    ) {
        var noise = charge.noise
        for hash in charge.repeats where !repeats.isFree(hash, at: now) { noise += 1 }
        networks.end(count, paying: noise, of: address.network, at: now)
        if let site = address.site { sites.end(count, paying: noise, of: site, at: now) }
    }
}

/// The accounts of addresses with missing tokens or waiting events; all others have none.
private struct DebtTable: Sendable {
    private struct Account {
        var bucket: TokenBucket
        var waiting = 0
    }

    private let limit: RateLimit
    private let mostWaiting: Int
    private let capacity: Int
    /// The number of accounts at which those that owe least are dropped.
    private var crowd: Int
    private var accounts: [IPAddress: Account] = [:]

    init(_ limit: RateLimit, mostWaiting: Int, capacity: Int) {
        self.limit = limit
        self.mostWaiting = mostWaiting
        self.capacity = capacity
        crowd = capacity
    }

    var count: Int { accounts.count }

    func hasRoom(for count: Int, _ address: IPAddress) -> Bool {
        (accounts[address]?.waiting ?? 0) + count <= mostWaiting
    }

    func allowance(of address: IPAddress, at now: ContinuousClock.Instant) -> TokenBucket.Allowance {
        let account = accounts[address] ?? Account(bucket: TokenBucket(at: now))
        let allowance = account.bucket.allowance(limit, at: now)
        return allowance.isGranted && account.waiting >= mostWaiting ? .later : allowance
    }

    mutating func wait(_ count: Int, _ address: IPAddress, at now: ContinuousClock.Instant) {
        if accounts.count >= crowd, accounts[address] == nil { makeRoom() }
        accounts[address, default: Account(bucket: TokenBucket(at: now))].waiting += count
    }

    mutating func end(
        _ count: Int, paying noise: Int, of address: IPAddress, at now: ContinuousClock.Instant
    ) {
        guard var account = accounts[address] else { return }
        account.waiting -= count
        if noise > 0 { account.bucket.pay(noise, limit, at: now) }
        accounts[address] = account.waiting == 0 && account.bucket.isFull(at: now) ? nil : account
    }

    /// Drops the accounts that owe least, until half are left; those that events wait for stay. A client with
    /// many addresses thus drops its own accounts before those that owe more than each of these.
    private mutating func makeRoom() {
        let debts = accounts.values.lazy.filter { $0.waiting == 0 }.map(\.bucket.fullAt).sorted()
        let surplus = min(accounts.count - capacity / 2, debts.count)
        if surplus > 0 {
            let last = debts[surplus - 1]
            accounts = accounts.filter { $0.value.waiting > 0 || $0.value.bucket.fullAt > last }
        }
        crowd = max(capacity, accounts.count * 2)
    }
}

/// The repeats of events within a minute. A client that got no response repeats its event, which costs
/// nothing; but a client that repeats one event again and again pays, although that event is a true one.
///
/// Events are counted by hash in a table of fixed size. Two that share a place share its count: then a repeat
/// may pay, and nothing else happens.
struct RecentRepeats: Sendable {
    static let freePerMinute: UInt8 = 3

    private var counts: [UInt8]
    private var since: ContinuousClock.Instant

    init(places: Int = 65_536, at now: ContinuousClock.Instant) {
        counts = [UInt8](repeating: 0, count: places)
        since = now
    }

    /// Counts a repeat. Returns whether it is free.
    mutating func isFree(_ hash: Int, at now: ContinuousClock.Instant) -> Bool {
        if since.duration(to: now) >= .seconds(60) {
            since = now
            for place in counts.indices { counts[place] = 0 }
        }
        let place = Int(UInt(bitPattern: hash) % UInt(counts.count))
        guard counts[place] < Self.freePerMinute else { return false }
        counts[place] += 1
        return true
    }
}

extension TokenBucket.Allowance {
    /// A request that is rejected because too many events wait.
    static let later = Self(isGranted: false, remaining: 0, wait: .seconds(1))
}
