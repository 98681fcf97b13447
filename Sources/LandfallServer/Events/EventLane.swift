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
///
/// One request is answered at a time, and none while the client does not take what is sent. Until then nothing more is read, and
/// what was decoded already is held.
final class EventLane: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// The router has so many requests that it has not answered. Only when it has none the lane takes one.
        case open(routed: Int)
        case reading(SmallPost)
        /// What was read waits for its commit.
        case answering(SmallPost)
        /// What was being read will not be answered here, and those behind close the connection.
        case givenUp
    }

    /// What came and has to wait.
    private enum Held {
        case part(HTTPServerRequestPart)
        case event(Any)
        case error(any Error)
    }

    private let posts: SmallPosts
    private let bounds: RequestBounds
    private var state = State.open(routed: 0)
    private var held = CircularBuffer<Held>(initialCapacity: 0)
    /// Asked for while there was something to read or to answer.
    private var closes: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
    private var isReadHeld = false
    private var isReleasing = false
    private var isWritable = true
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
        held.removeAll()
        // The connection has ended, and somebody may wait for that.
        for close in closes { close.promise?.succeed() }
        closes = []
    }

    /// Neither taken nor passed on is what comes now: a request is being answered, or the client does not take its answers.
    private var isPaused: Bool {
        switch state {
        case .answering: true
        case .open(routed: 0): !isWritable
        case .open, .reading, .givenUp: false
        }
    }

    /// What came earlier is not answered yet, and nobody behind has seen it.
    private var isAhead: Bool {
        switch state {
        case .answering: true
        case .open: !held.isEmpty
        case .reading, .givenUp: false
        }
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isPaused else { return held.append(.part(part)) }
        switch (state, part) {
        case (.open(routed: 0), .head(let head)):
            guard bounds.isOpen, let post = take(head, context) else { return route(part, context) }
            bounds.took(bytes: post.length, id: post.requestID)
            state = .reading(post)
        case (.reading(let post), .body(let bytes)): post.append(bytes)
        case (.reading(let post), .end):
            bounds.tookAll()
            record(post, context)
        case (.reading, .head): break
        case (.open, _), (.givenUp, _), (.answering, _): route(part, context)
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
        // Who sends one request at a time, and takes the answers, is read on: that is cheaper than to pause.
        isReadHeld = isPaused && !(held.isEmpty && closes.isEmpty && isWritable)
        if !isReadHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The end of what the client sends, for example: whoever heard of it now would close before the answer.
        guard !isAhead else { return held.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isAhead else { return held.append(.error(error)) }
        context.fireErrorCaught(error)
    }

    // MARK: What goes

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch (state, unwrapOutboundIn(data)) {
        case (.open(let routed), .end) where routed > 0: state = .open(routed: routed - 1)
        case (.reading(let post), .head(let head)):
            // Only `RequestBounds` answers what has not been read.
            posts.note(Int(head.status.code), bytesOut: nil, of: post)
            giveUp(context)
        default: break
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        var mustWait = isAhead
        if case .reading = state { mustWait = true }
        guard mustWait, mode != .input else { return context.close(mode: mode, promise: promise) }
        closes.append((mode, promise))
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        state = .givenUp
        for close in closes { context.channel.closeFuture.cascade(to: close.promise) }
        closes = []
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        context.fireChannelWritabilityChanged()
        release()
    }

    // MARK: Recording

    private func record(_ post: SmallPost, _ context: ChannelHandlerContext) {
        state = .answering(post)
        let lane = NIOLoopBound(self, eventLoop: context.eventLoop)
        do {
            try posts.record(post) { [eventLoop = context.eventLoop] result in
                eventLoop.execute { lane.value.answer(result) }
            }
        } catch {
            answer(.failure(error))
        }
    }

    private func answer(_ result: Result<EventsAnswer, any Error>) {
        guard case .answering(let post) = state else { return }
        post.dropBody()
        bounds.answer(posts.answer(result, to: post))
        state = .open(routed: 0)
        release()
    }

    /// Takes up what was held, as far as that goes.
    private func release() {
        // What is refused at once is answered in the midst of this.
        guard let context, !isReleasing, !isPaused else { return }
        guard isReadHeld || !held.isEmpty || !closes.isEmpty else { return }
        isReleasing = true
        while !isPaused, let next = held.popFirst() {
            switch next {
            case .part(let part): channelRead(context: context, data: wrapInboundOut(part))
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        isReleasing = false
        // Who stands behind hands on what it got when it hears that this is all for now.
        context.fireChannelReadComplete()
        if case .open = state, !isPaused {
            for close in closes { context.close(mode: close.mode, promise: close.promise) }
            closes = []
        }
        if isReadHeld { read(context: context) }
    }
}
