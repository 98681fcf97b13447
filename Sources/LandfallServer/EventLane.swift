internal import HTTPTypes
internal import Ingestion
internal import NIOCore
internal import NIOHTTP1

/// Lets small posts of events past the router: they are read, judged and answered on the connection's event loop, without a
/// task of their own. Phones post one event at a time, and for one event the way through the router costs more than all else.
///
/// What is not plain (`SmallPost`) and every other request takes the router, where the same `EventIntake` answers the same. The
/// lane stands right behind the decoder: what else a connection has (unpacking, other types for parts, bounds) sees nothing of its
/// requests, only `RequestBounds` hears how far they are. Its answers go to the wire as bytes.
final class EventLane: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// The router has so many requests that it has not answered. Only when it has none the lane takes one.
        case open(routed: Int)
        case reading(SmallPost, body: [UInt8])
        /// What was read waits for its commit; what else comes waits, too.
        case answering(SmallPost)
        /// What was being read will not be answered here, and those behind close the connection.
        case givenUp
    }

    /// What came while a request was being read or answered.
    private enum Held {
        case part(HTTPServerRequestPart)
        case event(Any)
        case error(any Error)
        case close(CloseMode, EventLoopPromise<Void>?)
    }

    private let posts: SmallPosts
    private let bounds: RequestBounds
    private var state = State.open(routed: 0)
    private var held: [Held] = []
    private var isReadHeld = false
    private var share: IntakeBudget.Share?
    private var digests = LastDigest()
    private var context: ChannelHandlerContext?
    /// Who is connected, once it was asked for: the kernel takes longer to tell than all that is done with it.
    private var socket: IPAddress??

    init(_ posts: SmallPosts, bounds: RequestBounds) {
        self.posts = posts
        self.bounds = bounds
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch (state, part) {
        case (.answering, _): held.append(.part(part))
        case (.open(routed: 0), .head(let head)):
            guard bounds.isOpen, let post = take(head, context) else { return route(part, context) }
            bounds.took(bytes: post.length)
            state = .reading(post, body: [])
        case (.open, _), (.givenUp, _): route(part, context)
        case (.reading(let post, var body), .body(let bytes)):
            state = .open(routed: 0)
            body.append(contentsOf: bytes.readableBytesView)
            state = .reading(post, body: body)
        case (.reading(let post, let body), .end):
            bounds.tookAll()
            record(body, of: post, context)
        case (.reading, .head): break
        }
    }

    private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> SmallPost? {
        let socket = self.socket ?? context.remoteAddress.flatMap { IPAddress($0) }
        self.socket = .some(socket)
        return posts.accept(head, from: socket, digests: &digests)
    }

    private func route(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        if case .open(let routed) = state, case .head = part { state = .open(routed: routed + 1) }
        context.fireChannelRead(wrapInboundOut(part))
    }

    func read(context: ChannelHandlerContext) {
        // One who sends more than one request at once has to wait; who does not is read on, which is cheaper than to pause.
        guard case .answering = state, !held.isEmpty else { return context.read() }
        isReadHeld = true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The end of what the client sends, for example: whoever heard of it now would close before the answer.
        if case .answering = state { return held.append(.event(event)) }
        // Nobody will send the rest.
        if case .reading = state, case ChannelEvent.inputClosed = event { giveUp(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .answering = state { return held.append(.error(error)) }
        context.fireErrorCaught(error)
    }

    // MARK: What goes

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch (state, unwrapOutboundIn(data)) {
        case (.open(let routed), .end) where routed > 0: state = .open(routed: routed - 1)
        case (.reading(let post, _), .head(let head)):
            // Only `RequestBounds` answers what has not been read.
            posts.note(Int(head.status.code), bytesOut: nil, of: post)
            giveUp(context)
        default: break
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch state {
        case .reading, .answering:
            guard mode == .input else { return held.append(.close(mode, promise)) }
            context.close(mode: mode, promise: promise)
        case .open, .givenUp: context.close(mode: mode, promise: promise)
        }
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        state = .givenUp
        for case .close(_, let promise) in held { context.channel.closeFuture.cascade(to: promise) }
        held = []
    }

    // MARK: Recording

    private func record(_ body: [UInt8], of post: SmallPost, _ context: ChannelHandlerContext) {
        state = .answering(post)
        let lane = NIOLoopBound(self, eventLoop: context.eventLoop)
        do {
            var share = posts.intake.budget.share()
            try posts.record(body, of: post, &share) { [eventLoop = context.eventLoop] result in
                eventLoop.execute { lane.value.answer(result) }
            }
            self.share = consume share
        } catch {
            answer(.failure(error))
        }
    }

    private func answer(_ result: Result<EventsAnswer, any Error>) {
        guard case .answering(let post) = state else { return }
        share = nil
        let answer = posts.answer(result, to: post)
        state = .open(routed: 0)
        bounds.answer(answer)
        release()
    }

    /// Takes up what was held, until a request of it is being answered.
    private func release() {
        guard let context, !held.isEmpty || isReadHeld else { return }
        let waiting = held
        held = []
        for next in waiting {
            switch next {
            case .part(let part): channelRead(context: context, data: wrapInboundOut(part))
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            case .error(let error): errorCaught(context: context, error: error)
            case .close(let mode, let promise): close(context: context, mode: mode, promise: promise)
            }
        }
        // Who stands behind hands on what it got when it hears that this is all for now.
        context.fireChannelReadComplete()
        guard isReadHeld else { return }
        isReadHeld = false
        read(context: context)
    }
}
