internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Enforces `Limits` for the requests of a connection, where Hummingbird and NIO do not.
///
/// A client that sends too much or too slowly gets a problem document, and then the connection is closed.
/// Nothing more is decoded. Further bytes are discarded for a while, because closing at once could destroy
/// the response before a client that is still sending has read it. Hummingbird's request ends with the
/// problem as the error of its body.
final class RequestBounds: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Rejection {
        case none
        /// Earlier requests get their responses first.
        case waiting(Problem, HTTPRequest?)
        case made
    }

    /// How long, and how many bytes, a client may continue to send after it was rejected.
    private static let lingering = TimeAmount.seconds(2)
    private let lingeringBytes: Int
    private var progress: RequestProgress {
        didSet { place?.note(waitingSince: progress.waitingSince, heldUpSince: progress.heldUpSince) }
    }
    /// The connection's place; set before it is active.
    var place: ConnectionPlace?
    private var rejection = Rejection.none
    private var wire: WireMeter?
    private var context: ChannelHandlerContext?
    private let observer: RequestObserver
    /// The id of the request being read, once a later handler knows it and will log the response and route.
    private var passedOn: RequestID?
    /// The bytes of a body that arrived in the current read. They are passed on as one part: a client may cut
    /// a body into one-byte chunks, each of which would queue on its own and keep its read buffer alive.
    private var gathered = ByteBuffer()
    /// One per connection, not one per request: when it fires, it checks how long to wait next.
    private var alarm: Scheduled<Void>?

    init(_ limits: ServerConfiguration.Limits, observer: RequestObserver) {
        self.observer = observer
        progress = RequestProgress(limits)
        lingeringBytes = limits.wireBytes
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let wire = WireMeter(bounds: self)
        self.wire = wire
        do {
            try context.pipeline.syncOperations.addHandler(wire, position: .first)
        } catch {
            // Without the meter the connection would have no bounds.
            context.close(promise: nil)
        }
        if context.channel.isActive { watch() }
    }

    func channelActive(context: ChannelHandlerContext) {
        watch()
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = nil
        wire = nil
        place = nil
        self.context = nil
    }

    // MARK: Requests that the `EventLane` handles before they get here

    /// Whether no request has been rejected.
    var isOpen: Bool {
        if case .none = rejection { true } else { false }
    }

    func accepted(length: Int, _ id: RequestID) {
        _ = progress.headArrived(contentLength: length, isPacked: false)
        passedOn = id
    }

    func readCompletely() {
        progress.requestEnded()
        passedOn = nil
    }

    func respond(_ bytes: ByteBuffer) {
        progress.responseBegan()
        wire?.send(bytes)
        progress.responseEnded(at: .now())
        rejectWhatWaited()
    }

    // MARK: Inbound

    /// Bytes arrived on the wire; they are not decoded yet.
    func bytesArrived(_ count: Int) {
        if let problem = progress.bytesArrived(count, at: .now()) { reject(problem) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .none = rejection else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            if let problem = headArrived(head.headerFields) { return reject(problem, head) }
            let id = RequestID(of: head.headerFields)
            passedOn = id
            // Later handlers log it under the same id.
            id.write(to: &head.headerFields)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let part):
            if let problem = progress.bodyArrived(part.readableBytes) { return reject(problem) }
            gathered.writeImmutableBuffer(part)
        case .end:
            passOnGathered(context)
            progress.requestEnded()
            passedOn = nil
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        passOnGathered(context)
        context.fireChannelReadComplete()
    }

    private func passOnGathered(_ context: ChannelHandlerContext) {
        guard gathered.readableBytes > 0 else { return }
        let part = gathered
        gathered = ByteBuffer()
        guard case .none = rejection else { return }
        context.fireChannelRead(wrapInboundOut(.body(part)))
    }

    private func headArrived(_ headers: HTTPFields) -> Problem? {
        let isPacked = headers.contains(.contentEncoding)
        let length = headers[.contentLength].flatMap { Int($0) }
        if let problem = progress.headArrived(contentLength: length, isPacked: isPacked) { return problem }
        return isPacked ? Problem.encoding(of: headers) : nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = Problem(reading: error) else { return context.fireErrorCaught(error) }
        reject(problem)
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The rejection was the response to this request.
        if case .made = rejection { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind == .informational: break
        case .head: progress.responseBegan()
        case .body: break
        case .end: progress.responseEnded(at: .now())
        }
        context.write(data, promise: promise)
        rejectWhatWaited()
    }

    private func rejectWhatWaited() {
        guard case .waiting(let problem, let head) = rejection, !progress.isBehindOthers else { return }
        rejection = .none
        reject(problem, head)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .made = rejection else { return context.close(mode: mode, promise: promise) }
        // It closes by itself once the client has had time to read the reason.
        context.channel.closeFuture.cascade(to: promise)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        if let event = event as? ConnectionPlace.GiveWay { return giveWay(context, event) }
        guard event is BodyOnDemand.Wanted else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        guard case .none = rejection, progress.awaitsBody else { return promise?.succeed() ?? () }
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: promise)
    }

    /// Closes the connection because others need its place, if it is still idle and its last response has
    /// been sent, or if its client still stalls a request.
    private func giveWay(_ context: ChannelHandlerContext, _ event: ConnectionPlace.GiveWay) {
        let unsent = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        let isIdle = progress.waitingSince != nil && unsent ?? 0 == 0
        let isHeldUp = progress.heldUpSince.map { $0 < event.heldUpBefore } ?? false
        place?.responded(gaveWay: isIdle || isHeldUp)
        if isIdle || isHeldUp { wire?.close() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        progress.writabilityChanged(context.channel.isWritable, at: .now())
        context.fireChannelWritabilityChanged()
    }

    // MARK: Rejecting

    private func watch() {
        progress.connected(at: .now())
        alarmWentOff()
    }

    private func setAlarm(_ deadline: NIODeadline) {
        alarm = context?.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.alarmWentOff() }
    }

    private func alarmWentOff() {
        alarm = nil
        if case .made = rejection { return wire?.close() ?? () }
        switch progress.lateness(at: .now()) {
        case .notBefore(let deadline): setAlarm(deadline)
        case .requestOverdue: reject(.requestTimeout)
        case .clientStuck, .idle: wire?.close()
        }
    }

    /// - Parameter head: the head of the request, if no later handler has seen it.
    private func reject(_ problem: Problem, _ head: HTTPRequest? = nil) {
        guard case .none = rejection, let context else { return }
        guard !progress.isBehindOthers else {
            rejection = .waiting(problem, head)
            wire?.shut()
            return
        }
        rejection = .made
        if progress.mayRespond {
            let id = passedOn ?? RequestID(of: head?.headerFields ?? [:])
            for part in problem.lastResponse(id) { context.write(wrapOutboundOut(part), promise: nil) }
            context.flush()
            if passedOn == nil { note(problem, method: head?.method.rawValue ?? "other", id) }
        }
        context.fireErrorCaught(problem)
        alarm?.cancel()
        setAlarm(.now() + Self.lingering)
        wire?.drain(lingeringBytes)
    }

    private func note(_ problem: Problem, method: String, _ id: RequestID) {
        observer.note(
            AccessLog.Entry(
                route: LandfallRequestContext.unmatchedRoute, method: method, status: problem.status.code,
                elapsed: progress.age(at: .now()), bytesIn: nil, bytesOut: nil, keyID: nil,
                requestID: id.text))
    }
}
