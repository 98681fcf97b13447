internal import Basics
internal import Foundation

/// How much of the quotas of apps is used. A value with the time passed in.
///
/// Each server counts what it records itself, and learns twice a minute what all servers together recorded:
/// until then, a quota may be exceeded by what the other servers recorded meanwhile. What one client used is
/// known only to the server that it posts to.
struct AppAccounts: Sendable {
    /// The number of clients per app and hour whose use is remembered, about 80 bytes each. Further ones
    /// count as having used nothing.
    private static let mostClients = 20_000
    /// The clients per day whose confirmed events are remembered, about 80 bytes each. Others have none.
    private static let mostConfirmed = 50_000

    /// What an address may use of any quota that is not used up.
    private static let leastShare: Int64 = 100

    private enum Party: Hashable {
        case app(Int64)
        /// A client of the app: an IPv4 address, or the site of an IPv6 address.
        case site(IPAddress, app: Int64)
        /// A client of the app: the device that the events of a request name.
        case device(UUID, app: Int64)
    }

    private struct Hour {
        /// What all servers counted, as of the last exchange.
        var known = Use()
        /// What this server counted since, and what it is adding to the database.
        var new = Use()
        var adding = Use()
        /// What this server recorded, by client.
        var clients: [Party: Amounts] = [:]

        var recorded: Amounts { known.recorded + adding.recorded + new.recorded }
    }

    private var hours: [AppHour: Hour] = [:]
    /// The events that are being recorded. Each may turn out to be unmatched.
    private var waiting: [Party: Int64] = [:]
    /// The number of confirmed events of clients today and yesterday (UTC). A high number is expensive: only
    /// a few events can change a push, so confirmed events need pushes to devices that the client really has.
    private var confirmed: [Instant: [Party: Int64]] = [:]
    /// The apps' responses of the past day, as last read.
    private var volumes: [Int64: Int64] = [:]

    /// Whether a client may use more of its app's quota in this hour (UTC). Once half of a quota is used, no
    /// address (or IPv6 site, /48) may have more than a tenth of it, so one attacker cannot use it up.
    ///
    /// A client that posted confirmed events before may use as much as their number. A quarter of the quota
    /// is added for such clients only, so attackers with many addresses cannot use it up for them.
    func mayAdd(_ subject: Subject, _ claim: Claim, at now: Instant) -> Bool {
        let quota = quota(of: claim) * subject.perUnit
        let hour = hours[AppHour(claim.appID, at: now)]
        func inFlight(_ party: Party) -> Int64 { subject == .events ? waiting[party] ?? 0 : 0 }
        func own(_ client: Party) -> Int64 { (hour?.clients[client]?[subject] ?? 0) + inFlight(client) }
        let used = (hour?.recorded[subject] ?? 0) + inFlight(.app(claim.appID))
        guard used >= quota / 2 else { return true }
        let clients = clients(of: claim)
        if clients.contains(where: { own($0) < credit(of: $0, at: now) * subject.perUnit }) {
            return used < quota + max(quota / 4, Self.leastShare)
        }
        return used < quota && own(clients[0]) <= max(quota / 10, Self.leastShare)
    }

    /// Lets the events of a claim wait to be recorded. Returns false, and does nothing, if the quota is spent
    /// by what is used and what waits.
    mutating func begin(_ events: Int, _ claim: inout Claim, at now: Instant) -> Bool {
        guard mayAdd(.events, claim, at: now) else { return false }
        claim.ofQuota = Int64(events)
        wait(claim.ofQuota, claim)
        return true
    }

    /// Counts what a claim turned out to be, and ends its wait.
    mutating func settle(_ claim: Claim, _ charge: Charge, at now: Instant) {
        if charge.confirmed > 0 { confirm(charge.confirmed, claim, at: now) }
        if charge.use != Use() { count(charge.use, claim, at: now) }
        if claim.ofQuota > 0 { wait(-claim.ofQuota, claim) }
    }

    /// Counts events that were unmatched until now: the app gets back what they used, but not their clients,
    /// whose addresses are not known anymore.
    mutating func confirmLate(_ count: Int64, of appID: Int64, at now: Instant) {
        let used = recorded(by: appID, at: now)[.events]
        hours[AppHour(appID, at: now)]?.new.recorded[.events] -= min(count, max(0, used))
    }

    /// What was recorded in this hour, as far as this server knows.
    func recorded(by appID: Int64, at now: Instant) -> Amounts {
        hours[AppHour(appID, at: now)]?.recorded ?? Amounts()
    }

    private func quota(of claim: Claim) -> Int64 { max(claim.minimum, volumes[claim.appID] ?? 0) }

    /// The address first.
    private func clients(of claim: Claim) -> [Party] {
        let site = Party.site(claim.address.client, app: claim.appID)
        return claim.device.map { [site, .device($0, app: claim.appID)] } ?? [site]
    }

    private func credit(of client: Party, at now: Instant) -> Int64 {
        let today = now.startOfUTCDay
        return (confirmed[today]?[client] ?? 0) + (confirmed[today - .days(1)]?[client] ?? 0)
    }

    private mutating func wait(_ count: Int64, _ claim: Claim) {
        for party in [Party.app(claim.appID)] + clients(of: claim) {
            let sum = (waiting[party] ?? 0) + count
            waiting[party] = sum == 0 ? nil : sum
        }
    }

    private mutating func count(_ use: Use, _ claim: Claim, at now: Instant) {
        let key = AppHour(claim.appID, at: now)
        var hour = hours.removeValue(forKey: key) ?? Hour()
        hour.new = hour.new + use
        for client in clients(of: claim) where use.recorded != Amounts() {
            guard hour.clients[client] != nil || hour.clients.count < Self.mostClients else { continue }
            // Anyone can invent devices, so only devices with confirmed events are remembered.
            if case .device = client, credit(of: client, at: now) == 0 { continue }
            hour.clients[client] = (hour.clients[client] ?? Amounts()) + use.recorded
        }
        hours[key] = hour
    }

    /// Counts confirmed events in favor of their clients. It does so only while less than half of the quota
    /// is used, because an attacker that has used it up must not earn a further part.
    private mutating func confirm(_ count: Int64, _ claim: Claim, at now: Instant) {
        let used = recorded(by: claim.appID, at: now)[.events] + (waiting[.app(claim.appID)] ?? 0)
        guard used < quota(of: claim) / 2 else { return }
        let today = now.startOfUTCDay
        var counts = confirmed.removeValue(forKey: today) ?? [:]
        for client in clients(of: claim) where counts[client] != nil || counts.count < Self.mostConfirmed {
            counts[client, default: 0] += count
        }
        if confirmed.count > 1 { confirmed = confirmed.filter { $0.key == today - .days(1) } }
        confirmed[today] = counts
    }

    // MARK: The exchange with other servers

    /// What this server counted since the last exchange, sorted: everything of apps in use.
    mutating func beginExchange() -> [(key: AppHour, use: Use)] {
        hours = hours.mapValues { hour in
            var hour = hour
            hour.adding = hour.adding + hour.new
            hour.new = Use()
            return hour
        }
        return hours.map { (key: $0.key, use: $0.value.adding) }.sorted { $0.key < $1.key }
    }

    /// Without a call, the exchange failed, and nothing is lost.
    ///
    /// - Parameter totals: what all servers recorded, with what this one added. Those of apps that move are
    ///   missing: most of them do not come back, so their hours are forgotten, too, once they are over.
    mutating func endExchange(_ totals: [AppHour: Use], at now: Instant) {
        for (key, total) in totals {
            hours[key]?.known = total
            hours[key]?.adding = Use()
        }
        hours = hours.filter { key, hour in key.hour >= now.startOfHour || hour.new != Use() }
    }

    /// The apps that have used a quarter of their volume: only their volumes are worth reading again.
    func appsToRead(at now: Instant) -> [Int64] {
        hours.keys.filter { $0.hour == now.startOfHour }.map(\.appID).filter { appID in
            guard let volume = volumes[appID] else { return true }
            let used = recorded(by: appID, at: now)
            return Subject.allCases.contains { used[$0] / $0.perUnit >= volume / 4 }
        }
    }

    /// The apps in use whose volumes were never read: they are new, or have just come from another cell.
    var unreadApps: [Int64] { hours.keys.map(\.appID).filter { volumes[$0] == nil } }

    mutating func set(volumes read: [Int64: Int64]) {
        volumes.merge(read) { $1 }
    }
}

/// An app in one hour.
struct AppHour: Hashable, Comparable, Sendable {
    let appID: Int64
    /// Its start.
    let hour: Instant

    init(_ appID: Int64, at instant: Instant) {
        self.appID = appID
        hour = instant.startOfHour
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.appID, left.hour) < (right.appID, right.hour)
    }
}
