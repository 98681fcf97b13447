internal import CoreMetrics
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Counts the open connections.
final class ConnectionCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let connections: Meter

    init(_ connections: Meter) {
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) { connections.increment() }
    /// A channel that closes removes its handlers.
    func handlerRemoved(context: ChannelHandlerContext) { connections.decrement() }
}
