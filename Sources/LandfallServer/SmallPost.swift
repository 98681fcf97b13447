internal import Access
internal import HTTPTypes

/// A post of events that needs nothing of the router: its length is announced and small, it is not packed, nobody waits for leave to
/// send it, the connection stays open, and the key is one that this server knows without asking the database.
final class SmallPost {
    /// Bytes of a body; some 150 events.
    static let largestBody = 64 * 1_024

    let length: Int
    let contentType: String?
    let requestID: RequestID
    let credential: Credential
    let started = ContinuousClock.now
    /// What the limits of callers add to the answer.
    var limitFields: HTTPFields = [:]
    /// What the post is answered with once it is read.
    var refusal: Problem?

    /// Nil when the router has to look at it.
    init?(_ head: HTTPRequest, keys: KeyRing) {
        guard head.method == .post, head.path == EventIntake.path else { return nil }
        var length: String?
        var authorization: String?
        var contentType: String?
        var requestID: String?
        for field in head.headerFields {
            switch field.name {
            case .contentLength where length == nil: length = field.value
            case .authorization where authorization == nil: authorization = field.value
            case .contentType where contentType == nil: contentType = field.value
            case RequestID.headerName where requestID == nil: requestID = field.value
            case .contentLength, .authorization, .contentType, RequestID.headerName: return nil
            case .contentEncoding, .transferEncoding, .expect: return nil
            case .connection where field.value.lowercased() != "keep-alive": return nil
            default: break
            }
        }
        guard let length = length.flatMap({ Int($0) }), length <= Self.largestBody,
            let digest = authorization.flatMap(KeyDigest.init(authorization:)),
            case .valid(let credential) = keys.recall(digest), credential.kind != .report
        else { return nil }
        self.length = length
        self.contentType = contentType
        self.requestID = RequestID(requestID)
        self.credential = credential
    }
}
