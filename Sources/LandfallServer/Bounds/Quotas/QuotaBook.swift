internal import Instants

/// The quotas of apps, and how much of them is used. A value with the time passed in.
///
/// Each server counts what it records itself, and learns twice a minute what all servers together recorded: until then, a
/// quota may be exceeded by what the other servers recorded meanwhile.
struct QuotaBook: Sendable {
    /// The quota of an app until it is read.
    static let floor: Int64 = 10_000

    private struct Page {
        /// What all servers recorded, as of the last exchange.
        var known = QuotaUse()
        /// What this server counted since, and what it is adding to the database.
        var new = QuotaUse()
        var adding = QuotaUse()
    }

    private var pages: [AppHour: Page] = [:]
    private var quotas: [Int64: Int64] = [:]

    mutating func count(_ use: QuotaUse, of appID: Int64, at now: Instant) {
        pages[AppHour(appID: appID, hour: now.startOfHour), default: Page()].new = self[appID, now].new + use
    }

    /// What was used in this hour, as far as this server knows.
    func used(by appID: Int64, at now: Instant) -> QuotaUse {
        let page = self[appID, now]
        return page.known + page.adding + page.new
    }

    func quota(of appID: Int64) -> Int64 { quotas[appID] ?? Self.floor }

    /// The apps whose devices may record no more unmatched events in this hour.
    func appsWithoutEvents(at now: Instant) -> Set<Int64> {
        var apps: Set<Int64> = []
        for (key, page) in pages where key.hour == now.startOfHour {
            let used = page.known.unmatchedEvents + page.adding.unmatchedEvents + page.new.unmatchedEvents
            if used >= quota(of: key.appID) { apps.insert(key.appID) }
        }
        return apps
    }

    /// Whether a device of the app may register a new installation in this hour.
    func allowsInstallation(of appID: Int64, at now: Instant) -> Bool {
        used(by: appID, at: now).newInstallations < quota(of: appID)
    }

    private subscript(appID: Int64, now: Instant) -> Page {
        pages[AppHour(appID: appID, hour: now.startOfHour)] ?? Page()
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

    /// The apps that have used a quarter of what they may, as far as known: only their quotas are worth reading.
    func appsWithUse(at now: Instant) -> [Int64] {
        pages.keys.filter { $0.hour == now.startOfHour }.map(\.appID).filter { appID in
            let used = used(by: appID, at: now)
            // An app may have set a lower quota than is known.
            return quotas[appID] == nil
                || max(used.unmatchedEvents, used.newInstallations) >= quota(of: appID) / 4
        }
    }

    mutating func set(_ read: [Int64: Int64]) {
        quotas.merge(read) { $1 }
    }
}
