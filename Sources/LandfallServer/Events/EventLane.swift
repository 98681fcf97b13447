internal import HTTPTypes
internal import Ingestion
internal import NIOCore
internal import NIOHTTP1

/// Takes small posts of events past the router: they are read, validated and recorded on the connection's event loop, without a
/// task of their own. Devices post one event at a time, and for one event the way through the router costs more than everything
/// else.
///
/// Posts that are not plain (`SmallPost`) and all other requests go through the router, where the same `EventIntake` handles them
/// in the same way. The lane comes right after the decoder. The connection's other handlers (unpacking, conversion of parts,
/// bounds) do not see its requests; only `RequestBounds` is told of their progress. Its responses go to the wire as bytes.
///
/// It handles one request at a time, and none while the client does not read the responses. Until then nothing more is read, and
/// parts that are already decoded are held.
final class EventLane: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// This many requests in the router have no response yet. The lane accepts a request only if there are none.
        case open(routed: Int)
        case reading(SmallPost)
        /// The post was read and waits for its commit.
        case answering(SmallPost)
        /// The lane will not respond to the request being read; later handlers close the connection.
        case givenUp
    }

    /// An inbound event that has to wait.
    private enum Held {
        case part(HTTPServerRequestPart)
        case event(Any)
        case error(any Error)
    }

    private let posts: SmallPosts
    private let bounds: RequestBounds
    private var state = State.open(routed: 0)
    private var held = CircularBuffer<Held>(initialCapacity: 0)
    /// Requests to close that came while a request was being read or handled.
    private var closes: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
    private var isReadHeld = false
    private var isReleasing = false
    private var isWritable = true
    private var digests = LastDigest()
    private var context: ChannelHandlerContext?
    /// The connected address, once it was determined: the system call takes longer than all uses of the address.
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
        // The connection has ended, and a caller may be waiting for that.
        for close in closes { close.promise?.succeed() }
        closes = []
    }

    /// Whether inbound parts are held: a request is being handled, or the client does not read its responses.
    private var isPaused: Bool {
        switch state {
        case .answering: true
        case .open(routed: 0): !isWritable
        case .open, .reading, .givenUp: false
        }
    }

    /// Whether an earlier request waits for its response and later handlers have not seen it.
    private var isAhead: Bool {
        switch state {
        case .answering: true
        case .open: !held.isEmpty
        case .reading, .givenUp: false
        }
    }

    // MARK: Inbound

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
        // While a client sends one request at a time and reads the responses, the lane continues to read: that is cheaper than
        // pausing.
        isReadHeld = isPaused && !(held.isEmpty && closes.isEmpty && isWritable)
        if !isReadHeld { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // For example, the end of the client's input: a later handler that learned of it now would close before the response.
        guard !isAhead else { return held.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isAhead else { return held.append(.error(error)) }
        context.fireErrorCaught(error)
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch (state, unwrapOutboundIn(data)) {
        case (.open(let routed), .end) where routed > 0: state = .open(routed: routed - 1)
        case (.reading(let post), .head(let head)):
            // Only `RequestBounds` responds to a request that has not been read completely.
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

    /// Processes the held events, as far as possible.
    private func release() {
        // A rejected request gets its response within this loop.
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
        // Later handlers pass on what they gathered when they learn that this read is complete.
        context.fireChannelReadComplete()
        if case .open = state, !isPaused {
            for close in closes { context.close(mode: close.mode, promise: close.promise) }
            closes = []
        }
        if isReadHeld { read(context: context) }
    }
}
