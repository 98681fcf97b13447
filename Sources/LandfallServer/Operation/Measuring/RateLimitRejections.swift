internal import Access
internal import CoreMetrics
internal import DeliveryModel
internal import PrometheusMetrics
internal import Synchronization

/// Requests that got 429 `rate_limited`, by the kind of their key: for `/metrics`, and for the doctor (`ClientWatch`).
final class RateLimitRejections: Sendable {
    private let counters: [APIKey.Kind?: Counter]
    private let counts = Mutex(RateLimitedRequests())

    init(_ factory: any MetricsFactory) {
        let kinds = APIKey.Kind.allCases.map(Optional.init) + [nil]
        counters = Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                let labels = [("key", kind?.rawValue ?? "none")]
                return (
                    kind, Counter(label: MetricCatalog.rateLimited.name, dimensions: labels, factory: factory)
                )
            })
    }

    /// - Parameter kind: `nil` for a request without a valid key.
    func count(_ kind: APIKey.Kind?) {
        counters[kind]?.increment()
        counts.withLock { counts in
            switch kind {
            case .device: counts.device += 1
            case .server: counts.server += 1
            case .report: counts.report += 1
            case nil: counts.withoutKey += 1
            }
        }
    }

    /// The counts since the last call.
    func take() -> RateLimitedRequests {
        counts.withLock { counts in
            defer { counts = RateLimitedRequests() }
            return counts
        }
    }
}
