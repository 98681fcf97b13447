internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import SmallPostLane

/// Hummingbird's HTTP/1 channel, for connections that the gate admits, with the `EventLane` right after its decoder.
struct LandfallChannel: ServerChildChannel {
    struct TooManyConnections: Error {}

    let http: HTTP1Channel
    let gate: ConnectionGate
    /// `nil` on a port that accepts no events.
    let posts: SmallPostIntake?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard let place = gate.open(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(TooManyConnections())
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // NIO's default buffers grow to 64 KiB per connection, and a connection may fill ten of them before its body is read.
            try channel.syncOptions?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: 16 * 1_024))
            let pipeline = channel.pipeline.syncOperations
            let bounds = try pipeline.handler(type: RequestBounds.self)
            bounds.place = place
            guard let posts else { return value }
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(EventLane(posts, bounds: bounds), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
