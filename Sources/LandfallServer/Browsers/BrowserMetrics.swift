internal import Access
internal import CoreMetrics
internal import DeliveryModel
internal import PrometheusMetrics
internal import Synchronization

/// Requests that browsers sent for pages, by verdict, and the keys that should not have been there.
final class BrowserMetrics: Sendable {
    /// Only valid keys are noted, so there are few.
    private static let mostKeys = 100

    private let preflights: [BrowserRequest.Verdict: Counter]
    private let requests: [BrowserRequest.Verdict: Counter]
    private let secretKeys = Mutex<(keys: [KeysInPages.Key], isUsed: Bool)>(([], false))

    init(_ factory: any MetricsFactory) {
        preflights = Self.counters("preflight", [.allowed, .otherOrigin], factory)
        requests = Self.counters("request", BrowserRequest.Verdict.allCases, factory)
    }

    func preflight(_ verdict: BrowserRequest.Verdict) { preflights[verdict]?.increment() }

    func request(_ verdict: BrowserRequest.Verdict, with credential: Credential) {
        requests[verdict]?.increment()
        guard verdict == .secretKey else { return }
        let key = KeysInPages.Key(
            app: credential.app.slug, keyID: credential.keyID, kind: credential.kind.rawValue)
        secretKeys.withLock { known in
            known.isUsed = true
            if !known.keys.contains(key), known.keys.count < Self.mostKeys { known.keys.append(key) }
        }
    }

    /// All secret keys that pages used; `nil` if none did since this was asked last.
    func takeKeysInPages() -> KeysInPages? {
        secretKeys.withLock { known in
            defer { known.isUsed = false }
            return known.isUsed ? KeysInPages(keys: known.keys) : nil
        }
    }

    private static func counters(
        _ kind: String, _ verdicts: [BrowserRequest.Verdict], _ factory: any MetricsFactory
    ) -> [BrowserRequest.Verdict: Counter] {
        let counters = verdicts.map { verdict in
            Counter(
                label: MetricCatalog.browserRequests.name,
                dimensions: [("kind", kind), ("verdict", verdict.rawValue)], factory: factory)
        }
        return Dictionary(uniqueKeysWithValues: zip(verdicts, counters))
    }
}
