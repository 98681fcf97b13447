internal import Access
internal import CoreMetrics
internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Ingestion
internal import Instants
internal import PrometheusMetrics
internal import Synchronization
internal import Trust

/// Limits unmatched events, new installations and new token values from device keys, per app and hour (docs/trust.md).
final class DeviceQuotas: Sendable {
    private let book = Mutex(QuotaBook())
    private let rejectedEvents: Counter
    private let rejectedInstallations: Counter
    private let rejectedValues: Counter

    init(_ factory: any MetricsFactory) {
        func counter(_ subject: String) -> Counter {
            Counter(
                label: MetricCatalog.quotaExceeded.name, dimensions: [("subject", subject)], factory: factory)
        }
        rejectedEvents = counter("events")
        rejectedInstallations = counter("installations")
        rejectedValues = counter("values")
    }

    /// Whether a device may register a new installation, or new values. Server keys always may.
    func allows(
        _ kind: QuotaKind, of credential: Credential, from address: IPAddress, at now: Instant
    ) -> Bool {
        guard credential.kind == .device else { return true }
        return book.withLock { book in
            !book.isSpent(
                kind, of: credential.app.appID, atLeast: credential.trust.deviceQuota, from: address, at: now)
        }
    }

    /// Lets the events of a device's request be recorded.
    ///
    /// - Returns: what ``end(_:)`` takes back; `nil` if the quota of the app is spent, or the address's share of it. Then only
    ///   events that are confirmed may be recorded.
    ///
    /// - Parameter device: the device that the events name, if they name one.
    func begin(
        _ count: Int, of credential: Credential, from address: IPAddress, device: UUID?, at now: Instant
    ) -> WaitingEvents? {
        let appID = credential.app.appID
        let isGranted = book.withLock { book in
            book.begin(
                Int64(count), of: appID, atLeast: credential.trust.deviceQuota, from: address, device: device,
                at: now)
        }
        return isGranted ? WaitingEvents(count: Int64(count), appID: appID, address: address) : nil
    }

    /// The verdicts are counted, or there are none.
    func end(_ waiting: WaitingEvents) {
        book.withLock { $0.end(waiting.count, of: waiting.appID, from: waiting.address) }
    }

    /// Counts the items of one request with their verdicts.
    ///
    /// - Parameter minimum: the app's quota, if it has fewer responses.
    func count(
        _ items: [BatchItem], _ verdicts: [Verdict], atLeast minimum: Int64, from address: IPAddress,
        at now: Instant
    ) {
        var use = QuotaUse()
        var (confirmed, confirmedLate): (Int64, Int64) = (0, 0)
        // By index and not as a sequence: an iterator would copy each item, with all the strings of its event.
        for index in 0..<min(items.count, verdicts.count) {
            confirmedLate += Int64(verdicts[index].confirmedEvents)
            if verdicts[index].outcome == .overQuota {
                use.rejectedEvents += 1
            } else if items[index].isUnmatched(verdicts[index]) {
                use.unmatchedEvents += 1
            } else if items[index].poster == .device, verdicts[index].confirms {
                confirmed += 1
            }
        }
        guard let appID = items.first?.appID else { return }
        rejectedEvents.increment(by: use.rejectedEvents)
        guard use != QuotaUse() || confirmed > 0 || confirmedLate > 0 else { return }
        let device = items.device
        book.withLock { [use, confirmed, confirmedLate] book in
            if confirmedLate > 0 { book.confirmLate(confirmedLate, of: appID, at: now) }
            if confirmed > 0 {
                book.confirm(
                    confirmed, of: appID, atLeast: minimum, from: address, device: device, at: now)
            }
            if use != QuotaUse() { book.count(use, of: appID, from: address, device: device, at: now) }
        }
    }

    /// Counts a device's registration.
    ///
    /// - Parameter values: the new values of an unproven installation.
    func count(
        newInstallation: Bool, values: Int, of appID: Int64, from address: IPAddress, at now: Instant
    ) {
        var use = QuotaUse()
        use.newInstallations = newInstallation ? 1 : 0
        use.newValues = Int64(values)
        guard use != QuotaUse() else { return }
        book.withLock { [use] in $0.count(use, of: appID, from: address, at: now) }
    }

    /// Counts a registration that is beyond a quota.
    func countRejected(_ kind: QuotaKind, of appID: Int64, from address: IPAddress, at now: Instant) {
        var use = QuotaUse()
        switch kind {
        case .events: use.rejectedEvents = 1
        case .installations:
            use.rejectedInstallations = 1
            rejectedInstallations.increment()
        case .values:
            use.rejectedValues = 1
            rejectedValues.increment()
        }
        book.withLock { [use] in $0.count(use, of: appID, from: address, at: now) }
    }

    /// Access for the exchange with other servers (`QuotaWatch`).
    func withBook<Value: Sendable>(_ body: (inout QuotaBook) -> Value) -> Value {
        book.withLock { book in body(&book) }
    }
}

/// Events that are being recorded.
struct WaitingEvents: Sendable {
    fileprivate let count: Int64
    fileprivate let appID: Int64
    fileprivate let address: IPAddress
}

extension [BatchItem] {
    /// The device that the first event names; events of one request come from one device.
    var device: UUID? {
        guard let first, case .success(let event) = first.content, case .device(let report) = event.content
        else { return nil }
        return report.deviceID
    }
}

extension Verdict {
    /// Whether a device's event changed a notification whose response is known.
    fileprivate var confirms: Bool { outcome == .accepted && isMatched }
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
