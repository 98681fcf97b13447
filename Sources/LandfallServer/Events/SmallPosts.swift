internal import Access
internal import HTTPTypes
internal import Ingestion
internal import Logging
internal import NIOCore
internal import NIOHTTP1

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
    ///
    /// - Parameter socket: who is connected; nil for one without an address.
    func accept(
        _ head: HTTPRequestHead, from socket: IPAddress?, digests: inout LastDigest
    ) -> SmallPost? {
        guard
            let post = SmallPost(
                head, bodyBytes: intake.limits.bodyBytes, keys: keys, digests: &digests,
                budget: intake.budget)
        else { return nil }
        do throws(Problem) {
            let client = addresses.client(socket) { head.headers[$0.rawName] }
            post.limitFields = try limits.take(post.credential, from: client)
            try intake.checkRoom()
        } catch {
            post.refusal = error
        }
        return post
    }

    /// - Throws: what the post is refused with. Else the completion is called once, on any thread, after the commit.
    func record(
        _ post: SmallPost, then completion: @escaping @Sendable (Result<EventsAnswer, any Error>) -> Void
    ) throws(Problem) {
        if let refusal = post.refusal { throw refusal }
        let items = try intake.read(post.body, contentType: post.contentType, credential: post.credential)
        intake.record(items, then: completion)
    }

    /// The answer as it goes over the wire; it is noted as if it had.
    func answer(_ result: Result<EventsAnswer, any Error>, to post: SmallPost) -> ByteBuffer {
        var wire = ByteBuffer()
        wire.reserveCapacity(512)
        let (status, body) = wire.begin(with: result) { error in problem(error, of: post) }
        for field in post.limitFields { wire.write(field.name.rawName, field.value) }
        wire.write(RequestID.fieldName, post.requestID.text)
        wire.write("Date", HTTPDate.now)
        wire.write("Server", ServerConfiguration.serverName)
        wire.writeStaticString("\r\n")
        wire.writeImmutableBuffer(body)
        note(status.code, bytesOut: body.readableBytes, of: post)
        return wire
    }

    /// Counts an answered post and writes its line.
    func note(_ status: Int, bytesOut: Int?, of post: SmallPost) {
        observer.note(
            AccessLog.Entry(
                route: EventIntake.path, method: "POST", status: status,
                elapsed: post.started.duration(to: .now), bytesIn: post.length, bytesOut: bytesOut,
                keyID: post.credential.keyID, requestID: post.requestID.text))
    }

    private func problem(_ error: any Error, of post: SmallPost) -> Problem {
        observer.problem(error, of: logger.about(post.requestID))
    }
}

// MARK: - A head as it goes over the wire

extension ByteBuffer {
    /// Writes the status, and the fields that tell what the body is.
    fileprivate mutating func begin(
        with result: Result<EventsAnswer, any Error>, _ problem: (any Error) -> Problem
    ) -> (HTTPResponse.Status, body: ByteBuffer) {
        do {
            let document = try result.get().document()
            write(status: .ok)
            write("Content-Type", EventsAnswer.contentType)
            write("Content-Length", String(document.readableBytes))
            return (.ok, document)
        } catch {
            let (head, document) = problem(error).response
            write(status: head.status)
            for field in head.headerFields { write(field.name.rawName, field.value) }
            return (head.status, document)
        }
    }

    private mutating func write(status: HTTPResponse.Status) {
        // In the words of the encoder, which writes the router's answers.
        let status = HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase)
        writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
    }

    fileprivate mutating func write(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
