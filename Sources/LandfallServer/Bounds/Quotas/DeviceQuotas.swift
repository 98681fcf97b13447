internal import CoreMetrics
internal import HTTPTypes
internal import Ingestion
internal import Instants
internal import PrometheusMetrics
internal import Synchronization

/// Bounds per app and hour what nothing confirms: unmatched events and new installations from device keys (docs/trust.md).
final class DeviceQuotas: Sendable {
    private let book = Mutex(QuotaBook())
    private let rejectedEvents: Counter
    private let rejectedInstallations: Counter

    init(_ factory: any MetricsFactory) {
        func counter(_ subject: String) -> Counter {
            Counter(
                label: MetricCatalog.quotaExceeded.name, dimensions: [("subject", subject)], factory: factory)
        }
        rejectedEvents = counter("events")
        rejectedInstallations = counter("installations")
    }

    /// The apps whose devices may record no more unmatched events in this hour.
    func appsWithoutEvents(at now: Instant) -> Set<Int64> {
        book.withLock { $0.appsWithoutEvents(at: now) }
    }

    /// Counts a batch with its verdicts.
    func count(_ items: [BatchItem], _ verdicts: [Verdict], at now: Instant) {
        var uses: [Int64: QuotaUse] = [:]
        // By index and not as a sequence: an iterator would copy each item, with all the strings of its event.
        for index in 0..<min(items.count, verdicts.count) {
            if verdicts[index].outcome == .overQuota {
                uses[items[index].appID, default: QuotaUse()].rejectedEvents += 1
            } else if items[index].isUnmatched(verdicts[index]) {
                uses[items[index].appID, default: QuotaUse()].unmatchedEvents += 1
            }
        }
        guard !uses.isEmpty else { return }
        rejectedEvents.increment(by: uses.values.reduce(0) { $0 + $1.rejectedEvents })
        book.withLock { book in
            for (appID, use) in uses { book.count(use, of: appID, at: now) }
        }
    }

    func allowsInstallation(of appID: Int64, at now: Instant) -> Bool {
        book.withLock { $0.allowsInstallation(of: appID, at: now) }
    }

    func countInstallation(of appID: Int64, isRejected: Bool = false, at now: Instant) {
        var use = QuotaUse()
        if isRejected {
            use.rejectedInstallations = 1
            rejectedInstallations.increment()
        } else {
            use.newInstallations = 1
        }
        book.withLock { $0.count(use, of: appID, at: now) }
    }

    /// Access for the exchange with other servers (`QuotaWatch`).
    func withBook<Value: Sendable>(_ body: (inout QuotaBook) -> Value) -> Value {
        book.withLock { book in body(&book) }
    }
}

extension Problem {
    /// The quota is whole again in the next hour. Not all clients should come back in its first second.
    static func quotaExceeded(_ what: String, at now: Instant) -> Problem {
        let rest = (now.startOfHour + .hours(1) - now).milliseconds / 1_000
        return Problem(
            .tooManyRequests, "quota_exceeded",
            "the devices of this app posted too many \(what) within an hour: repeat the request later, unchanged",
            headers: [.retryAfter: String(rest + Int64.random(in: 1...300))])
    }
}
