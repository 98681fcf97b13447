internal import NIOCore

/// Runs before the decoder: counts the bytes on the wire for `RequestBounds`, withholds them from the decoder
/// once a request was rejected, and sends responses that are already bytes.
final class WireMeter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case open
        /// Nothing is read.
        case shut
        /// Up to this many bytes are discarded.
        case draining(left: Int)
    }

    private weak var bounds: RequestBounds?
    /// Whether the client has closed the connection, or its half of it.
    private(set) var isInputClosed = false
    private var state = State.open
    private var context: ChannelHandlerContext?

    init(bounds: RequestBounds?) {
        self.bounds = bounds
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func shut() {
        state = .shut
    }

    func drain(_ bytes: Int) {
        state = .draining(left: bytes)
        // No later handler asks for more.
        context?.read()
    }

    func send(_ response: ByteBuffer) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(response), promise: nil)
    }

    /// Closes the connection, even if later handlers would delay that.
    func close() {
        context?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        if case .open = state { bounds?.bytesArrived(count) }
        switch state {
        case .open: context.fireChannelRead(data)
        case .shut: break
        case .draining(let left) where left < count: context.close(promise: nil)
        case .draining(let left): state = .draining(left: left - count)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if case .draining = state { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        guard case ChannelEvent.inputClosed = event else { return }
        isInputClosed = true
        // The client has finished sending, and the response is on its way.
        if case .draining = state { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        if case .shut = state { return }
        context.read()
    }
}
