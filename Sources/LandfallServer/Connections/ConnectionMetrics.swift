internal import CoreMetrics
internal import Synchronization

/// Open connections, and those that the server closed to bound them.
final class ConnectionMetrics: Sendable {
    enum Reason: String, CaseIterable {
        /// Its address already had `limits.connections_per_address`, all of them with a request in progress.
        case tooManyFromAddress = "address_limit"
        /// All places, or those of its address, were taken, and it had waited for a request for the longest time.
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

    /// The server closed a connection for this reason.
    func closed(_ reason: Reason) {
        closed[reason]?.increment()
        if reason == .tooManyFromAddress { fromAddress.add(1, ordering: .relaxed) }
    }

    /// The connections closed because of their address since the start.
    var closedFromAddress: Int64 { fromAddress.load(ordering: .relaxed) }
}
