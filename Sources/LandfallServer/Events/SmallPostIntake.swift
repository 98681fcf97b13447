internal import Access
internal import Foundation
internal import HTTPTypes
internal import Ingestion
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import SmallPostLane
internal import Synchronization

/// Does for posts of the `EventLane` what middleware and controller do for the router's: authorization, limits, response, metrics
/// and access log.
struct SmallPostIntake: SmallPosts {
    /// What a connection's posts have in common.
    struct Connection {
        /// The connected address; the system call takes longer than all uses of the address.
        let socket: IPAddress?
        var digests = LastDigest()
    }

    let intake: EventIntake
    let keys: KeyRing
    let addresses: ClientAddresses
    let observer: RequestObserver
    let logger: Logger

    func connection(_ channel: any Channel) -> Connection {
        Connection(socket: channel.remoteAddress.flatMap { IPAddress($0) })
    }

    func accept(_ head: HTTPRequestHead, on connection: inout Connection) -> SmallPost? {
        guard
            let post = SmallPost(
                head, intake.limits, keys: keys, digests: &connection.digests,
                budget: intake.budget)
        else { return nil }
        do throws(Problem) {
            let address = addresses.client(connection.socket) { head.headers[$0.rawName] }
            post.admission = try intake.callers.admit(post.credential, from: address)
            try intake.checkRoom(for: post.credential.flow)
        } catch {
            post.rejection = error
        }
        return post
    }

    func append(_ part: ByteBuffer, to post: SmallPost) { post.append(part) }

    func record(
        _ post: SmallPost, then completion: @escaping @Sendable (Result<EventsResponse, any Error>) -> Void
    ) throws {
        if let rejection = post.rejection { throw rejection }
        let items = try intake.read(
            post.body, contentType: post.contentType, began: post.started, credential: post.credential,
            ticket: post.admission.ticket)
        intake.record(items, then: completion)
    }

    /// Logs the response as sent.
    func response(to post: SmallPost, _ result: Result<EventsResponse, any Error>) -> ByteBuffer {
        post.dropBody()
        var wire = ByteBuffer()
        wire.reserveCapacity(512)
        let (status, body) = wire.begin(with: result) {
            observer.problem($0, of: logger.about(post.requestID))
        }
        // Unless the verdicts have settled it.
        post.admission.ticket?.settle(Charge(of: status))
        for field in post.admission.fields { wire.write(field.name.rawName, field.value) }
        wire.write(RequestID.fieldName, post.requestID.text)
        wire.write("Date", HTTPDate.now)
        wire.write("Server", ServerConfiguration.serverName)
        wire.writeStaticString("\r\n")
        wire.writeImmutableBuffer(body)
        note(status.code, bytesOut: body.readableBytes, of: post)
        return wire
    }

    func gaveUp(_ post: SmallPost, status: Int) { note(status, bytesOut: nil, of: post) }

    /// Counts a post that has its response, and writes its line in the access log.
    private func note(_ status: Int, bytesOut: Int?, of post: SmallPost) {
        observer.note(
            AccessLog.Entry(
                route: EventIntake.path, method: "POST", status: status,
                elapsed: post.started.duration(to: .now), bytesIn: post.length, bytesOut: bytesOut,
                keyID: post.credential.keyID, requestID: post.requestID.text))
    }
}

// MARK: A response head in its wire format

extension ByteBuffer {
    /// Writes the status, and the fields that describe the body.
    fileprivate mutating func begin(
        with result: Result<EventsResponse, any Error>, _ problem: (any Error) -> Problem
    ) -> (HTTPResponse.Status, body: ByteBuffer) {
        do {
            let document = try result.get().document()
            write(status: .ok)
            write("Content-Type", EventsResponse.contentType)
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
        // With the reason phrases of the encoder, which writes the router's responses.
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

/// The `Date` of responses (RFC 9110, section 5.6.7), formatted once a second.
enum HTTPDate {
    private static let latest = Mutex((second: 0, text: ""))

    static var now: String {
        let second = time(nil)
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(second)) }
            return latest.text
        }
    }

    /// A text such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func text(_ second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = strftime(start, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
