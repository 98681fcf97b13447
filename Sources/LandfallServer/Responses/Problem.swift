internal import Documents
public import Hummingbird
internal import NIOCore

/// An error as the caller sees it: `application/problem+json` (RFC 9457) with a stable `code`.
public struct Problem: Error, Sendable, HTTPResponseError {
    public let status: HTTPResponse.Status
    /// Stable, for programs.
    public let code: String
    /// The mistake and its remedy, for people. It never quotes a body.
    public let detail: String
    public var headers: HTTPFields = [:]

    public init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers
    }

    static let contentType = "application/problem+json"

    /// The body of the response.
    var document: JSONValue {
        [
            "code": .string(code), "detail": .string(detail), "status": .integer(Int64(status.code)),
            "title": .string(status.reasonPhrase), "type": .string("urn:landfall:problem:\(code)"),
        ]
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers = headers
        headers[.contentType] = Self.contentType
        let response = Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: document.lineText)))
        return request.method == .head ? response.createHeadResponse() : response
    }
}

extension Problem {
    /// One text for missing, unknown and revoked keys, so that a caller cannot tell which it is.
    static let unauthorized = Problem(
        .unauthorized, "unauthorized", "a valid key is required: Authorization: Bearer lf_…",
        headers: [.wwwAuthenticate: "Bearer"])

    static var overloaded: Problem {
        .unavailable("overloaded", "too much is queued: repeat the request later, unchanged")
    }

    static func notFound(_ detail: String = "this path does not exist") -> Problem {
        Problem(.notFound, "not_found", detail)
    }

    static func unavailable(_ code: String, _ detail: String) -> Problem {
        Problem(.serviceUnavailable, code, detail, headers: [.retryAfter: String(Int.random(in: 1...3))])
    }
}

extension Response {
    /// A response with a document of the HTTP interface.
    static func json(_ document: JSONValue) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: document.lineText)))
    }
}
