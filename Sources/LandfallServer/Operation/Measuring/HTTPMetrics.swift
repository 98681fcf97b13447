internal import CoreMetrics
internal import PrometheusMetrics
internal import Synchronization

/// Requests by route template, method and status. All three have few values: the template comes from the router, and uncommon
/// methods are `other`.
final class HTTPMetrics: Sendable {
    private struct Kind: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Instruments {
        var requests: [Kind: Counter] = [:]
        var seconds: [String: CoreMetrics.Timer] = [:]
    }

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
    ]

    private let factory: any MetricsFactory
    private let instruments = Mutex(Instruments())

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    func responded(route: String, method: String, status: Int, after duration: Duration) {
        let method = Self.methods.contains(method) ? method : "other"
        let kind = Kind(route: route, method: method, status: status)
        let (requests, seconds) = instruments.withLock { known in
            (counter(of: kind, in: &known.requests), timer(of: route, in: &known.seconds))
        }
        requests.increment()
        seconds.recordNanoseconds(duration.nanoseconds)
    }

    private func counter(of kind: Kind, in known: inout [Kind: Counter]) -> Counter {
        if let counter = known[kind] { return counter }
        let counter = Counter(
            label: MetricCatalog.requests.name,
            dimensions: [("route", kind.route), ("method", kind.method), ("status", "\(kind.status)")],
            factory: factory)
        known[kind] = counter
        return counter
    }

    private func timer(of route: String, in known: inout [String: CoreMetrics.Timer]) -> CoreMetrics.Timer {
        if let timer = known[route] { return timer }
        let timer = CoreMetrics.Timer(
            label: MetricCatalog.requestSeconds.name, dimensions: [("route", route)], factory: factory)
        known[route] = timer
        return timer
    }
}
