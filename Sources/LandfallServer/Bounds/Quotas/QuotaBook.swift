internal import Instants

/// How much of the quotas of apps is used. A value with the time passed in.
///
/// Each server counts what it records itself, and learns twice a minute what all servers together recorded: until then, a
/// quota may be exceeded by what the other servers recorded meanwhile. What one address used is known only to the server that it
/// posts to.
struct QuotaBook: Sendable {
    /// The number of addresses per app and hour whose use is remembered, about 80 bytes each. Further ones count as having used
    /// nothing.
    private static let mostAddresses = 20_000

    /// What an address may use of any quota that is not used up.
    private static let leastShare: Int64 = 100

    private struct Page {
        /// What all servers recorded, as of the last exchange.
        var known = QuotaUse()
        /// What this server counted since, and what it is adding to the database.
        var new = QuotaUse()
        var adding = QuotaUse()
        /// What this server counted, by address.
        var addresses: [IPAddress: QuotaUse] = [:]

        var used: QuotaUse { known + adding + new }
    }

    /// A device of an app, as far as its quota is concerned.
    private struct Client: Hashable {
        let appID: Int64
        /// An IPv4 address, or the site of an IPv6 address.
        let site: IPAddress
    }

    private var pages: [AppHour: Page] = [:]
    /// The events that are being recorded, by client and by app. Each may turn out to be unmatched.
    private var waitingOfClient: [Client: Int64] = [:]
    private var waitingOfApp: [Int64: Int64] = [:]
    /// The apps' responses of the past day, as last read.
    private var volumes: [Int64: Int64] = [:]

    mutating func count(_ use: QuotaUse, of appID: Int64, from address: IPAddress, at now: Instant) {
        let key = AppHour(appID: appID, hour: now.startOfHour)
        var page = pages.removeValue(forKey: key) ?? Page()
        page.new = page.new + use
        let site = address.client
        if page.addresses[site] != nil || page.addresses.count < Self.mostAddresses {
            page.addresses[site] = page.addresses[site, default: QuotaUse()] + use
        }
        pages[key] = page
    }

    /// What was used in this hour, as far as this server knows.
    func used(by appID: Int64, at now: Instant) -> QuotaUse {
        pages[AppHour(appID: appID, hour: now.startOfHour)]?.used ?? QuotaUse()
    }

    /// Lets events of a device wait to be recorded, which ``end(_:of:from:)`` ends. Returns false, and does nothing, if the quota is
    /// spent by what is used and what waits.
    mutating func begin(
        _ count: Int64, of appID: Int64, atLeast minimum: Int64, from address: IPAddress, at now: Instant
    ) -> Bool {
        guard !isSpent(.events, of: appID, atLeast: minimum, from: address, at: now) else { return false }
        wait(count, of: appID, from: address)
        return true
    }

    mutating func end(_ count: Int64, of appID: Int64, from address: IPAddress) {
        wait(-count, of: appID, from: address)
    }

    private mutating func wait(_ count: Int64, of appID: Int64, from address: IPAddress) {
        let client = Client(appID: appID, site: address.client)
        let (ofClient, ofApp) = ((waitingOfClient[client] ?? 0) + count, (waitingOfApp[appID] ?? 0) + count)
        waitingOfClient[client] = ofClient == 0 ? nil : ofClient
        waitingOfApp[appID] = ofApp == 0 ? nil : ofApp
    }

    /// Whether an address may use no more of its app's quota in this hour. Once half of a quota is used, no address (or IPv6 site,
    /// /48) may have more than a tenth of it: so one attacker cannot use it up for all others.
    ///
    /// - Parameter minimum: the app's quota, if it has fewer responses.
    func isSpent(
        _ kind: QuotaKind, of appID: Int64, atLeast minimum: Int64, from address: IPAddress, at now: Instant
    ) -> Bool {
        let quota = max(minimum, volumes[appID] ?? 0)
        let page = pages[AppHour(appID: appID, hour: now.startOfHour)]
        let site = address.client
        var (used, own) = (page?.used[kind] ?? 0, page?.addresses[site]?[kind] ?? 0)
        if kind == .events {
            used += waitingOfApp[appID] ?? 0
            own += waitingOfClient[Client(appID: appID, site: site)] ?? 0
        }
        guard used < quota else { return true }
        return used >= quota / 2 && own > max(quota / 10, Self.leastShare)
    }

    // MARK: The exchange with other servers

    /// What this server counted since the last exchange, sorted: everything of apps in use.
    mutating func beginExchange() -> [(key: AppHour, use: QuotaUse)] {
        for key in pages.keys {
            guard var page = pages[key] else { continue }
            page.adding = page.adding + page.new
            page.new = QuotaUse()
            pages[key] = page
        }
        return pages.map { (key: $0.key, use: $0.value.adding) }.sorted { $0.key < $1.key }
    }

    /// - Parameter totals: what all servers recorded, with what this one added. If empty, the exchange failed, and nothing is lost.
    mutating func endExchange(_ totals: [AppHour: QuotaUse], at now: Instant) {
        for (key, total) in totals {
            pages[key]?.known = total
            pages[key]?.adding = QuotaUse()
        }
        pages = pages.filter { key, page in
            key.hour >= now.startOfHour || page.new != QuotaUse() || page.adding != QuotaUse()
        }
    }

    /// The apps that have used a quarter of their volume: only their volumes are worth reading again.
    func appsToRead(at now: Instant) -> [Int64] {
        pages.keys.filter { $0.hour == now.startOfHour }.map(\.appID).filter { appID in
            guard let volume = volumes[appID] else { return true }
            let used = used(by: appID, at: now)
            return max(used.unmatchedEvents, used.newInstallations) >= volume / 4
        }
    }

    mutating func set(volumes read: [Int64: Int64]) {
        volumes.merge(read) { $1 }
    }
}
