internal import Access
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// A post of events that needs nothing from the router: it is HTTP/1.1, its length is stated and small, it is not packed, the
/// client does not wait for permission to send it, the connection stays open, and the key is known without asking the database.
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
    /// The part of the body that has arrived.
    private(set) var body: [UInt8] = []
    private var share: IntakeBudget.Share

    /// Returns `nil` if the router has to handle the request.
    ///
    /// - Parameters:
    ///   - limits: those of bodies.
    ///   - digests: the digests of keys seen on this connection.
    ///   - budget: provides the body's bytes as it arrives.
    init?(
        _ head: HTTPRequestHead, _ limits: ServerConfiguration.Limits, keys: KeyRing,
        digests: inout LastDigest,
        budget: IntakeBudget
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
            case .valid(let credential) = keys.recall(digest), credential.kind != .report,
            length <= limits.bodyBytes(with: credential.kind)
        else { return nil }
        (self.length, self.contentType) = (length, contentType)
        self.requestID = RequestID(requestID)
        self.credential = credential
        share = budget.share(for: credential.flow)
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

    /// Frees the body, which is no longer needed.
    func dropBody() {
        body = []
        share.giveBack()
    }

    /// A header field that matters here.
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

/// The digest of the latest key: a connection's requests mostly have the same.
struct LastDigest {
    private var authorization: String?
    private var digest: KeyDigest?

    mutating func digest(of authorization: String) -> KeyDigest? {
        if authorization != self.authorization {
            self.authorization = authorization
            digest = KeyDigest(authorization: authorization)
        }
        return digest
    }
}
