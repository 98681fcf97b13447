internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Ingestion
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import SmallPostLane

/// Does for posts of the `EventLane` what middleware and controller do for the router's: authorization,
/// limits, response, metrics and access log.
struct SmallPostIntake: SmallPosts {
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
                head, intake.limits, keys: keys, digests: &connection.digests, budget: intake.budget)
        else { return nil }
        do throws(Problem) {
            let address = addresses.client(connection.socket) { head.headers[$0.rawName] }
            post.admission = try intake.callers.admit(post.credential, from: address)
            try intake.checkRoom(for: post.credential)
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

extension RequestBounds: LaneBounds {
    func accepted(_ post: SmallPost) { accepted(length: post.length, post.requestID) }
}

/// A post of events that needs nothing from the router: it is HTTP/1.1, its length is stated and small, it is
/// not packed, the client does not wait for permission to send it, the connection stays open, and the key is
/// known without asking the database.
final class SmallPost {
    /// In bytes; about 150 events.
    static let largestBody = 64 * 1_024

    let length: Int
    let contentType: String?
    let requestID: RequestID
    let credential: Credential
    let started = ContinuousClock.now
    /// The header fields of the rate limits are added to the response.
    var admission = CallerLimits.Admission()
    /// The response to the post once it is read, if it is rejected.
    var rejection: Problem?
    private(set) var body: [UInt8] = []
    private var share: IntakeBudget.Share

    /// Returns `nil` if the router has to handle the request. `digests` are those of keys seen on this
    /// connection; `budget` provides the body's bytes as it arrives.
    init?(
        _ head: HTTPRequestHead, _ limits: ServerConfiguration.Limits, keys: KeyRing,
        digests: inout LastDigest, budget: IntakeBudget
    ) {
        guard head.method == .POST, head.uri == EventIntake.path, head.version == .http1_1 else { return nil }
        var length: String?
        var authorization: String?
        var contentType: String?
        var requestID: String?
        for (name, value) in head.headers {
            switch Field(name) {
            case .length where length == nil: length = value
            case .authorization where authorization == nil: authorization = value
            case .contentType where contentType == nil: contentType = value
            case .requestID where requestID == nil: requestID = value
            case .length, .authorization, .contentType, .requestID, .notPlain: return nil
            case .connection where value.lowercased() != "keep-alive": return nil
            case .connection, nil: break
            }
        }
        guard let length = length.flatMap({ Int($0) }), length <= Self.largestBody,
            let digest = authorization.flatMap({ digests.digest(of: $0) }),
            case .valid(let credential) = keys.recall(digest), [.server, .device].contains(credential.kind),
            length <= limits.bodyBytes(with: credential.kind)
        else { return nil }
        (self.length, self.contentType) = (length, contentType)
        self.requestID = RequestID(requestID)
        self.credential = credential
        share = budget.share(for: credential.flow, in: credential.app.cell)
    }

    /// Adds a part of the body. Nothing is kept of a post that will be rejected.
    func append(_ part: ByteBuffer) {
        guard rejection == nil else { return }
        do throws(Problem) {
            try share.take(part.readableBytes)
        } catch {
            rejection = error
            return dropBody()
        }
        if body.isEmpty { body.reserveCapacity(length) }
        body.append(contentsOf: part.readableBytesView)
    }

    func dropBody() {
        body = []
        share.giveBack()
    }

    private enum Field {
        case length
        case authorization
        case contentType
        case requestID
        case connection
        /// Only the router can handle it.
        case notPlain

        private static let all: [(name: String, field: Field)] = [
            ("content-length", .length), ("authorization", .authorization), ("content-type", .contentType),
            ("x-request-id", .requestID), ("connection", .connection), ("content-encoding", .notPlain),
            ("transfer-encoding", .notPlain), ("expect", .notPlain), ("origin", .notPlain),
        ]

        init?(_ name: String) {
            let found = Self.all.first { known in
                known.name.utf8.count == name.utf8.count
                    && zip(known.name.utf8, name.utf8).allSatisfy { $0 == $1 | 0x20 }
            }
            guard let found else { return nil }
            self = found.field
        }
    }
}
