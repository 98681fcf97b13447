internal import HTTPTypes
internal import Ingestion
internal import NIOCore
internal import NIOHTTPTypes

/// Lets small posts of events past the router: they are read, judged and answered on the connection's event loop, without a
/// task of their own. Phones post one event at a time, and for one event the way through the router costs more than all else.
///
/// What is not plain (`SmallPost`) and every other request takes the router, where the same `EventIntake` answers the same. The
/// lane stands behind all other handlers: for them, its requests are requests.
final class EventLane: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        /// The router has so many requests that it has not answered. Only when it has none the lane takes one.
        case open(routed: Int)
        case reading(SmallPost, body: [UInt8])
        /// What was read waits for its commit; what else comes waits, too.
        case answering(SmallPost)
    }

    /// What came while a request was being answered.
    private enum Held {
        case part(HTTPRequestPart)
        case event(Any)
        case close(CloseMode, EventLoopPromise<Void>?)
    }

    private let posts: SmallPosts
    private var state = State.open(routed: 0)
    private var held: [Held] = []
    private var isReadHeld = false
    private var share: IntakeBudget.Share?
    private var context: ChannelHandlerContext?

    init(_ posts: SmallPosts) {
        self.posts = posts
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
            guard let post = posts.accept(head, from: context.remoteAddress) else {
                return route(part, context)
            }
            state = .reading(post, body: [])
        case (.open, _): route(part, context)
        case (.reading(let post, var body), .body(let bytes)):
            state = .open(routed: 0)
            body.append(contentsOf: bytes.readableBytesView)
            state = .reading(post, body: body)
        case (.reading(let post, let body), .end): record(body, of: post, context)
        case (.reading, .head): break
        }
    }

    private func route(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
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
        guard case .answering = state else { return context.fireUserInboundEventTriggered(event) }
        held.append(.event(event))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // `RequestBounds` has refused what was being read, and answered it.
        if case .reading(let post, _) = state {
            state = .open(routed: 0)
            posts.note(Problem(error).status, bytesOut: nil, of: post)
        }
        context.fireErrorCaught(error)
    }

    // MARK: What goes

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .open(let routed) = state, case .end = unwrapOutboundIn(data) {
            state = .open(routed: routed - 1)
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .answering = state, mode != .input else {
            return context.close(mode: mode, promise: promise)
        }
        held.append(.close(mode, promise))
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
        let (head, body) = posts.answer(result, to: post)
        if let context {
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        state = .open(routed: 0)
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
