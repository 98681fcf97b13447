public import NIOCore
public import NIOHTTP1

/// What the lane needs from the service: which posts it may take, and what becomes of them.
public protocol SmallPosts: Sendable {
    associatedtype Post
    associatedtype Recorded: Sendable

    /// State of one connection that makes its later posts cheaper.
    associatedtype Connection
    func connection(_ channel: any Channel) -> Connection

    /// Returns `nil` if the router has to handle the request.
    func accept(_ head: HTTPRequestHead, on connection: inout Connection) -> Post?
    func append(_ part: ByteBuffer, to post: Post)
    /// - Throws: the error with which the post is rejected. Otherwise the completion is called once, on any
    ///   thread, after the commit.
    func record(
        _ post: Post, then completion: @escaping @Sendable (Result<Recorded, any Error>) -> Void) throws
    func response(to post: Post, _ result: Result<Recorded, any Error>) -> ByteBuffer
    /// Another handler responded before the post was read completely.
    func gaveUp(_ post: Post, status: Int)
}

/// The bounds of the connection, which follow the lane's requests as they follow the router's.
public protocol LaneBounds: AnyObject {
    associatedtype Post
    /// Whether requests may still begin.
    var isOpen: Bool { get }
    func accepted(_ post: Post)
    func readCompletely()
    func respond(_ bytes: ByteBuffer)
}

/// Takes small posts of events past the router: they are read, validated and recorded on the connection's
/// event loop, without a task of their own. Devices post one event at a time, and for one event the way
/// through the router costs more than the rest.
///
/// The lane comes right after the decoder. Posts that are not plain and all other requests go through the
/// router. The connection's other handlers (unpacking, conversion of parts) do not see the lane's requests;
/// only its ``LaneBounds`` are told of their progress. Its responses go to the wire as bytes.
/// ``LaneProgress`` decides what happens to each part.
public final class EventLane<Posts: SmallPosts, Bounds: LaneBounds>: ChannelDuplexHandler
where Bounds.Post == Posts.Post {
    public typealias InboundIn = HTTPServerRequestPart
    public typealias InboundOut = HTTPServerRequestPart
    public typealias OutboundIn = HTTPServerResponsePart
    public typealias OutboundOut = HTTPServerResponsePart

    private let posts: Posts
    private let bounds: Bounds
    private var progress = LaneProgress<Posts.Post>()
    private var connection: Posts.Connection?
    private var context: ChannelHandlerContext?

    public init(_ posts: Posts, bounds: Bounds) {
        (self.posts, self.bounds) = (posts, bounds)
    }

    public func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    public func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for close in progress.ended() { close.promise?.succeed() }
    }

    // MARK: Inbound

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch progress.received(part) {
        case .wait: break
        case .offer(let head):
            if let post = accept(head, context) {
                bounds.accepted(post)
                progress.accepted(post)
            } else {
                progress.routed()
                context.fireChannelRead(data)
            }
        case .append(let bytes, let post): posts.append(bytes, to: post)
        case .record(let post):
            bounds.readCompletely()
            record(post, context)
        case .route: context.fireChannelRead(data)
        }
    }

    private func accept(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Posts.Post? {
        guard bounds.isOpen else { return nil }
        var connection = self.connection ?? posts.connection(context.channel)
        defer { self.connection = connection }
        return posts.accept(head, on: &connection)
    }

    public func read(context: ChannelHandlerContext) {
        if progress.shouldRead() { context.read() }
    }

    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if progress.shouldPassOn(.event(event)) { context.fireUserInboundEventTriggered(event) }
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if progress.shouldPassOn(.error(error)) { context.fireErrorCaught(error) }
    }

    // MARK: Outbound

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if let givenUp = progress.wrote(part), case .head(let head) = part {
            // Only the bounds respond to a request that has not been read completely.
            posts.gaveUp(givenUp.post, status: Int(head.status.code))
            for close in givenUp.closes { context.channel.closeFuture.cascade(to: close.promise) }
        }
        context.write(data, promise: promise)
    }

    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if progress.shouldClose((mode, promise)) { context.close(mode: mode, promise: promise) }
    }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        progress.changed(isWritable: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
        release()
    }

    // MARK: Recording

    private func record(_ post: Posts.Post, _ context: ChannelHandlerContext) {
        // The closure, not the lane, crosses threads: its types would have to be Sendable.
        let responding = NIOLoopBound({ self.respond($0) }, eventLoop: context.eventLoop)
        do {
            try posts.record(post) { [eventLoop = context.eventLoop] result in
                eventLoop.execute { responding.value(result) }
            }
        } catch {
            respond(.failure(error))
        }
    }

    private func respond(_ result: Result<Posts.Recorded, any Error>) {
        guard let post = progress.recording else { return }
        bounds.respond(posts.response(to: post, result))
        progress.responded()
        release()
    }

    /// Processes the held events, as far as possible.
    private func release() {
        guard let context, progress.beginRelease() else { return }
        while let next = progress.nextHeld() {
            switch next {
            case .part(let part): channelRead(context: context, data: wrapInboundOut(part))
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        // Later handlers pass on what they gathered when they learn that this read is complete.
        context.fireChannelReadComplete()
        let after = progress.released()
        for close in after.closes { context.close(mode: close.mode, promise: close.promise) }
        if after.isReadHeld { read(context: context) }
    }
}
