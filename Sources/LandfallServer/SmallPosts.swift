internal import Access
internal import HTTPTypes
internal import Logging
internal import NIOCore

/// What middleware and controller do for requests of the router, for those of the `EventLane`: who may post, the limits, the
/// answer, the metrics and the access log.
struct SmallPosts: Sendable {
    let intake: EventIntake
    let keys: KeyRing
    let addresses: ClientAddresses
    let limits: CallerLimits
    let observer: RequestObserver
    let logger: Logger

    /// Nil when the router has to look at it.
    func accept(_ head: HTTPRequest, from socket: SocketAddress?) -> SmallPost? {
        guard let post = SmallPost(head, keys: keys) else { return nil }
        do throws(Problem) {
            post.limitFields = try limits.take(
                post.credential, from: addresses.client(head.headerFields, socket: socket))
            try intake.checkRoom()
        } catch {
            post.refusal = error
        }
        return post
    }

    /// - Throws: what the post is refused with. Else the completion is called once, on any thread, after the commit.
    func record(
        _ body: [UInt8], of post: SmallPost, _ share: inout IntakeBudget.Share,
        then completion: @escaping @Sendable (Result<EventsAnswer, any Error>) -> Void
    ) throws(Problem) {
        if let refusal = post.refusal { throw refusal }
        try share.take(body.count)
        let items = try intake.read(body, contentType: post.contentType, credential: post.credential)
        intake.record(items, then: completion)
    }

    /// The answer as it is written to the connection; it is noted as if it had been.
    func answer(
        _ result: Result<EventsAnswer, any Error>, to post: SmallPost
    ) -> (head: HTTPResponse, body: ByteBuffer) {
        var (head, body) = response(to: result, post)
        head.headerFields.append(contentsOf: post.limitFields)
        post.requestID.answer(in: &head.headerFields)
        head.headerFields.append(HTTPField(name: .date, value: HTTPDate.now))
        head.headerFields.append(HTTPField(name: .server, value: ServerConfiguration.serverName))
        note(head.status, bytesOut: body.readableBytes, of: post)
        return (head, body)
    }

    /// Counts an answered post and writes its line.
    func note(_ status: HTTPResponse.Status, bytesOut: Int?, of post: SmallPost) {
        observer.note(
            AccessLog.Entry(
                route: EventIntake.path, method: "POST", status: status.code,
                elapsed: post.started.duration(to: .now), bytesIn: post.length, bytesOut: bytesOut,
                keyID: post.credential.keyID, requestID: post.requestID.text))
    }

    private func response(
        to result: Result<EventsAnswer, any Error>, _ post: SmallPost
    ) -> (head: HTTPResponse, body: ByteBuffer) {
        do {
            let document = try result.get().document()
            let fields: HTTPFields = [
                .contentType: EventsAnswer.contentType, .contentLength: String(document.readableBytes),
            ]
            return (HTTPResponse(status: .ok, headerFields: fields), document)
        } catch {
            var logger = logger
            logger[metadataKey: RequestID.logKey] = .string(post.requestID.text)
            return Problem(error, notedBy: logger).response
        }
    }
}
