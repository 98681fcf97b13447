internal import Foundation
internal import Instants

/// How much of the quotas of apps is used. A value with the time passed in.
///
/// Each server counts what it records itself, and learns twice a minute what all servers together recorded: until then, a
/// quota may be exceeded by what the other servers recorded meanwhile. What one address used is known only to the server that it
/// posts to.
struct QuotaBook: Sendable {
    /// The number of clients per app and hour whose use is remembered, about 80 bytes each. Further ones count as having used
    /// nothing.
    private static let mostClients = 20_000

    /// What an address may use of any quota that is not used up.
    private static let leastShare: Int64 = 100

    private struct Page {
        /// What all servers recorded, as of the last exchange.
        var known = QuotaUse()
        /// What this server counted since, and what it is adding to the database.
        var new = QuotaUse()
        var adding = QuotaUse()
        /// The use that this server counted, by client.
        var clients: [QuotaClient: QuotaUse] = [:]

        var used: QuotaUse { known + adding + new }
    }

    private var pages: [AppHour: Page] = [:]
    /// The events that are being recorded, by client and by app. Each may turn out to be unmatched.
    private var waitingOfClient: [QuotaClient: Int64] = [:]
    private var waitingOfApp: [Int64: Int64] = [:]
    /// The apps' responses of the past day, as last read.
    private var volumes: [Int64: Int64] = [:]

    /// The clients with confirmed events, for which a part of each quota is reserved.
    private var standing = QuotaStanding()

    /// - Parameter device: the device that the events name, if they name one.
    mutating func count(
        _ use: QuotaUse, of appID: Int64, from address: IPAddress, device: UUID? = nil, at now: Instant
    ) {
        let key = AppHour(appID: appID, hour: now.startOfHour)
        var page = pages.removeValue(forKey: key) ?? Page()
        page.new = page.new + use
        for client in clients(of: appID, address, device) {
            guard page.clients[client] != nil || page.clients.count < Self.mostClients else { continue }
            // Anyone can invent devices, so only devices with confirmed events are remembered.
            if case .device = client.name, standing.count(of: client, at: now) == 0 { continue }
            page.clients[client] = page.clients[client, default: QuotaUse()] + use
        }
        pages[key] = page
    }

    /// Counts events that were confirmed at once, in favor of their client. It does so only while less than half of the quota is
    /// used, because an attacker that has used it up must not earn a further part.
    mutating func confirm(
        _ count: Int64, of appID: Int64, atLeast minimum: Int64, from address: IPAddress, device: UUID?,
        at now: Instant
    ) {
        let used = used(by: appID, at: now)[.events] + (waitingOfApp[appID] ?? 0)
        guard used < quota(of: appID, atLeast: minimum) / 2 else { return }
        standing.add(count, to: clients(of: appID, address, device), at: now)
    }

    /// Counts events that were unmatched until now: the app gets back what they used.
    mutating func confirmLate(_ count: Int64, of appID: Int64, at now: Instant) {
        let key = AppHour(appID: appID, hour: now.startOfHour)
        guard var page = pages[key] else { return }
        page.new.unmatchedEvents -= min(count, max(0, page.used.unmatchedEvents))
        pages[key] = page
    }

    private func clients(of appID: Int64, _ address: IPAddress, _ device: UUID?) -> [QuotaClient] {
        [QuotaClient(appID: appID, name: .site(address.client))]
            + (device.map { [QuotaClient(appID: appID, name: .device($0))] } ?? [])
    }

    private func quota(of appID: Int64, atLeast minimum: Int64) -> Int64 { max(minimum, volumes[appID] ?? 0) }

    /// What was used in this hour, as far as this server knows.
    func used(by appID: Int64, at now: Instant) -> QuotaUse {
        pages[AppHour(appID: appID, hour: now.startOfHour)]?.used ?? QuotaUse()
    }

    /// Lets events of a device wait to be recorded, which ``end(_:of:from:)`` ends. Returns false, and does nothing, if the quota is
    /// spent by what is used and what waits.
    mutating func begin(
        _ count: Int64, of appID: Int64, atLeast minimum: Int64, from address: IPAddress, device: UUID? = nil,
        at now: Instant
    ) -> Bool {
        guard !isSpent(.events, of: appID, atLeast: minimum, from: address, device: device, at: now) else {
            return false
        }
        wait(count, of: appID, from: address)
        return true
    }

    mutating func end(_ count: Int64, of appID: Int64, from address: IPAddress) {
        wait(-count, of: appID, from: address)
    }

    private mutating func wait(_ count: Int64, of appID: Int64, from address: IPAddress) {
        let client = QuotaClient(appID: appID, name: .site(address.client))
        let (ofClient, ofApp) = ((waitingOfClient[client] ?? 0) + count, (waitingOfApp[appID] ?? 0) + count)
        waitingOfClient[client] = ofClient == 0 ? nil : ofClient
        waitingOfApp[appID] = ofApp == 0 ? nil : ofApp
    }

    /// Whether a client may use no more of its app's quota in this hour (UTC). Once half of a quota is used, no address (or IPv6
    /// site, /48) may have more than a tenth of it, so that one attacker cannot use it up for all others.
    ///
    /// A client that posted confirmed events before may use as much as their number. A quarter of the quota is added for such
    /// clients only, so that attackers with any number of addresses cannot use it up for them.
    ///
    /// - Parameters:
    ///   - minimum: the app's quota, if it has fewer responses.
    ///   - device: the device that the request names, if any.
    func isSpent(
        _ kind: QuotaKind, of appID: Int64, atLeast minimum: Int64, from address: IPAddress,
        device: UUID? = nil, at now: Instant
    ) -> Bool {
        let quota = quota(of: appID, atLeast: minimum) * kind.perUnit
        let page = pages[AppHour(appID: appID, hour: now.startOfHour)]
        let waiting = kind == .events ? waitingOfApp[appID] ?? 0 : 0
        let used = (page?.used[kind] ?? 0) + waiting
        guard used >= quota / 2 else { return false }
        func own(_ client: QuotaClient) -> Int64 {
            (page?.clients[client]?[kind] ?? 0) + (kind == .events ? waitingOfClient[client] ?? 0 : 0)
        }
        let clients = clients(of: appID, address, device)
        let hasBehaved = clients.contains { own($0) < standing.count(of: $0, at: now) }
        if hasBehaved { return used >= quota + max(quota / 4, Self.leastShare) }
        return used >= quota || own(clients[0]) > max(quota / 10, Self.leastShare)
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
            return max(used.unmatchedEvents, used.newInstallations, used.newValues / QuotaKind.values.perUnit)
                >= volume / 4
        }
    }

    mutating func set(volumes read: [Int64: Int64]) {
        volumes.merge(read) { $1 }
    }
}
