internal import NIOCore
internal import Synchronization

/// A connection's place. Its event loop notes if it waits for a request; the gate reads that on any thread.
final class ConnectionPlace: PlacedConnection, Sendable {
    /// Asks the connection's handlers to close it, unless a request has arrived meanwhile or goes on.
    struct GiveWay: Sendable {
        /// A request that its client has held up since before this deadline is cut.
        let heldUpBefore: NIODeadline
    }

    let address: IPAddress?
    private let channel: any Channel
    private let gate: ConnectionGate
    /// 0 while a request is in progress.
    private let waiting: Atomic<UInt64>
    /// 0 unless a client holds up its request.
    private let heldUp = Atomic<UInt64>(0)

    init(_ channel: any Channel, address: IPAddress?, gate: ConnectionGate) {
        self.channel = channel
        self.address = address
        self.gate = gate
        waiting = Atomic(NIODeadline.now().uptimeNanoseconds)
    }

    var waitingSince: NIODeadline? { Self.deadline(waiting) }

    var heldUpSince: NIODeadline? { Self.deadline(heldUp) }

    private static func deadline(_ since: borrowing Atomic<UInt64>) -> NIODeadline? {
        let since = since.load(ordering: .relaxed)
        return since == 0 ? nil : .uptimeNanoseconds(since)
    }

    /// Notes the time since which the connection waits for a request, `nil` if one is in progress, and that
    /// since which a request waits for its client.
    func note(waitingSince: NIODeadline?, heldUpSince: NIODeadline?) {
        heldUp.store(heldUpSince?.uptimeNanoseconds ?? 0, ordering: .relaxed)
        let since = waitingSince?.uptimeNanoseconds ?? 0
        let before = waiting.load(ordering: .relaxed)
        guard since != before else { return }
        waiting.store(since, ordering: .relaxed)
        if before == 0 { gate.becameIdle() }
    }

    /// Returns at once: the gate holds its lock meanwhile, and the handlers may need it.
    func giveWay(heldUpBefore deadline: NIODeadline) {
        let event = GiveWay(heldUpBefore: deadline)
        channel.eventLoop.execute { [channel] in
            channel.triggerUserOutboundEvent(event, promise: nil)
        }
    }

    /// The response of the connection's handlers to `GiveWay`. If the connection stays, it counts as busy
    /// until something happens on it.
    func responded(gaveWay: Bool) {
        if !gaveWay {
            waiting.store(0, ordering: .relaxed)
            heldUp.store(0, ordering: .relaxed)
        }
        gate.responded(self, gaveWay: gaveWay)
    }
}
