internal import NIOCore
internal import Synchronization

/// Gives the connections of one listener their places, as ``ConnectionPlaces`` decides.
final class ConnectionGate: Sendable {
    private let trustedProxies: [AddressRange]
    private let metrics: ConnectionMetrics
    private let places: Mutex<ConnectionPlaces<ConnectionPlace>>
    /// Read at the end of each request, where the lock would cost more than the question.
    private let isOverfull = Atomic(false)

    init(limit: Int, perNetwork: Int, trustedProxies: [AddressRange], metrics: ConnectionMetrics) {
        self.trustedProxies = trustedProxies
        self.metrics = metrics
        places = Mutex(ConnectionPlaces(limit: limit, perNetwork: perNetwork))
    }

    /// Returns `nil` if the client has too many requests in progress: this connection has to be closed.
    func open(_ channel: any Channel) -> ConnectionPlace? {
        let place = ConnectionPlace(channel, address: address(of: channel), gate: self)
        let isOpen = change { places in
            guard case .admitted(let leaver) = places.open(place) else { return false }
            leaver?.giveWay()
            return true
        }
        guard isOpen else {
            metrics.closed(.tooManyFromAddress)
            return nil
        }
        metrics.opened()
        channel.closeFuture.whenComplete { _ in
            self.metrics.ended()
            self.change { $0.close(place) }
        }
        return place
    }

    /// A connection waits for a request again.
    func becameIdle() {
        guard isOverfull.load(ordering: .relaxed) else { return }
        change { places in
            while let connection = places.nextToGiveWay() { connection.giveWay() }
        }
    }

    func responded(_ place: ConnectionPlace, gaveWay: Bool) {
        guard !gaveWay else { return metrics.closed(.gaveWay) }
        change { places in places.stays(place)?.giveWay() }
    }

    @discardableResult
    private func change<Value: Sendable>(
        _ body: (inout ConnectionPlaces<ConnectionPlace>) -> sending Value
    ) -> Value {
        places.withLock { places in
            let value = body(&places)
            isOverfull.store(places.isOverfull, ordering: .relaxed)
            return value
        }
    }

    private func address(of channel: any Channel) -> IPAddress? {
        guard let address = channel.remoteAddress.flatMap({ IPAddress($0) }),
            !trustedProxies.contains(where: { $0.contains(address) })
        else { return nil }
        return address
    }
}

extension ConnectionGate {
    /// The gate of the port that devices and servers use.
    convenience init(_ limits: ServerConfiguration.Limits, _ metrics: ConnectionMetrics) {
        self.init(
            limit: limits.connections, perNetwork: limits.connectionsPerAddress,
            trustedProxies: limits.trustedProxies, metrics: metrics)
    }
}
