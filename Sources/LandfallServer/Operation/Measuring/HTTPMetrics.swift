internal import CoreMetrics
internal import Synchronization

/// Requests by route template, method and status. All three have few values: the template comes from the
/// router, and uncommon methods are `other`.
final class HTTPMetrics: Sendable {
    private struct Kind: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private typealias Instruments = (requests: [Kind: Counter], seconds: [String: CoreMetrics.Timer])

    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
    ]

    private let factory: any MetricsFactory
    private let instruments = Mutex<Instruments>(([:], [:]))

    init(factory: any MetricsFactory) { self.factory = factory }

    func responded(route: String, method: String, status: Int, after duration: Duration) {
        let method = Self.methods.contains(method) ? method : "other"
        let kind = Kind(route: route, method: method, status: status)
        let (requests, seconds) = instruments.withLock { known in
            let counter = known.requests.value(kind) {
                factory.counter(MetricCatalog.requests, route, method, "\(status)")
            }
            let timer = known.seconds.value(route) { factory.timer(MetricCatalog.requestSeconds, route) }
            return (counter, timer)
        }
        requests.increment()
        seconds.recordNanoseconds(duration.nanoseconds)
    }
}

/// Open connections, and those that the server closed to bound them.
final class ConnectionMetrics: Sendable {
    enum Reason: String, CaseIterable {
        /// Its address already had `limits.connections_per_address`, all of them with a request in progress.
        case tooManyFromAddress = "address_limit"
        /// All places, or those of its address, were taken, and it had waited longest for a request.
        case gaveWay = "gave_way"
    }

    private let open: Meter
    private let closed: [Reason: Counter]
    private let fromAddress = Atomic<Int64>(0)

    init(_ factory: any MetricsFactory) {
        open = factory.meter(MetricCatalog.connections)
        open.set(0)
        closed = factory.counters(MetricCatalog.closedConnections, of: Reason.allCases, \.rawValue)
    }

    func opened() { open.increment() }
    func ended() { open.decrement() }

    func closed(_ reason: Reason) {
        closed[reason]?.increment()
        if reason == .tooManyFromAddress { fromAddress.add(1, ordering: .relaxed) }
    }

    /// The connections closed because of their address since the start.
    var closedFromAddress: Int64 { fromAddress.load(ordering: .relaxed) }
}

extension Dictionary {
    /// The value of the key, which is made if it is new.
    fileprivate mutating func value(_ key: Key, _ make: () -> Value) -> Value {
        if let known = self[key] { return known }
        let made = make()
        self[key] = made
        return made
    }
}
