internal import NIOCore

/// Notices that the client of a request in progress has closed its connection, or its half of it. Without a
/// write, nothing else would.
final class ClientDeparture: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let left: @Sendable () -> Void

    init(_ left: @escaping @Sendable () -> Void) { self.left = left }

    /// - Parameter left: called if the client leaves while `work` runs, or has left before.
    static func watch<Value: Sendable>(
        _ channel: any Channel, _ left: @escaping @Sendable () -> Void,
        during work: () async -> Value
    ) async -> Value {
        let handler = ClientDeparture(left)
        do {
            try await channel.pipeline.addHandler(handler, position: .first).get()
        } catch {
            // The connection is closed.
            left()
        }
        let value = await work()
        try? await channel.pipeline.removeHandler(handler).get()
        return value
    }

    /// The client may have left while this was on its way to the pipeline.
    func handlerAdded(context: ChannelHandlerContext) {
        let wire = try? context.pipeline.syncOperations.handler(type: WireMeter.self)
        if !context.channel.isActive || wire?.isInputClosed == true { left() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { left() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        left()
        context.fireChannelInactive()
    }
}
