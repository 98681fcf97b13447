internal import NIOCore
internal import Synchronization

/// Gives the connections of one listener their places, as ``ConnectionPlaces`` decides.
final class ConnectionGate: Sendable {
    private let trustedProxies: [AddressRange]
    private let metrics: ConnectionMetrics
    private let places: Mutex<ConnectionPlaces<ConnectionPlace>>
    /// Read at the end of each request, where the lock would cost more than the question.
    private let isOverfull = Atomic(false)
    /// Whether a check is due, because no connection could give way yet.
    private let isPatient = Atomic(false)
    private let patience: TimeAmount

    init(
        limit: Int, perNetwork: Int, patience: Duration, trustedProxies: [AddressRange],
        metrics: ConnectionMetrics
    ) {
        self.trustedProxies = trustedProxies
        self.metrics = metrics
        self.patience = TimeAmount(patience)
        places = Mutex(
            ConnectionPlaces(limit: limit, perNetwork: perNetwork, patience: TimeAmount(patience)))
    }

    /// Returns `nil` if the client has too many requests in progress: this connection has to be closed.
    func open(_ channel: any Channel) -> ConnectionPlace? {
        let place = ConnectionPlace(channel, address: address(of: channel), gate: self)
        let isOpen = change { places in
            guard case .admitted(let leaver) = places.open(place, at: .now()) else { return false }
            leaver?.giveWay(heldUpBefore: .now() - self.patience)
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
        lookAgain(on: channel.eventLoop)
        return place
    }

    /// A connection waits for a request again.
    func becameIdle() {
        guard isOverfull.load(ordering: .relaxed) else { return }
        makeRoom()
    }

    private func makeRoom() {
        change { places in
            while let connection = places.nextToGiveWay(at: .now()) {
                connection.giveWay(heldUpBefore: .now() - patience)
            }
        }
    }

    /// If all connections were busy, some clients may be stalling: checks again after ``patience``.
    private func lookAgain(on loop: any EventLoop) {
        guard isOverfull.load(ordering: .relaxed), !isPatient.exchange(true, ordering: .relaxed) else {
            return
        }
        // A check after the patience sees every request that was stalled before this one.
        loop.scheduleTask(in: patience + .milliseconds(1)) {
            self.isPatient.store(false, ordering: .relaxed)
            self.makeRoom()
            self.lookAgain(on: loop)
        }
    }

    func responded(_ place: ConnectionPlace, gaveWay: Bool) {
        guard !gaveWay else { return metrics.closed(.gaveWay) }
        change { places in places.stays(place, at: .now())?.giveWay(heldUpBefore: .now() - patience) }
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
