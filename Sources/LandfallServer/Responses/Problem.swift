internal import Basics
public import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// An error as the caller sees it: `application/problem+json` (RFC 9457) with a stable `code`.
public struct Problem: Error, Sendable, HTTPResponseError {
    public let status: HTTPResponse.Status
    /// Stable, for programs.
    public let code: String
    /// The mistake and its remedy, for people. It never quotes a body.
    public let detail: String
    public var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = headers
    }

    static let contentType = "application/problem+json"

    var document: JSONValue {
        [
            "code": .string(code), "detail": .string(detail), "status": .integer(Int64(status.code)),
            "title": .string(status.reasonPhrase), "type": .string("urn:landfall:problem:\(code)"),
        ]
    }

    /// The response as it is written to a channel.
    var response: (head: HTTPResponse, body: ByteBuffer) {
        let document = ByteBuffer(string: document.lineText)
        var headers = headers
        headers[.contentType] = Self.contentType
        headers[.contentLength] = String(document.readableBytes)
        return (HTTPResponse(status: status, headerFields: headers), document)
    }

    /// The response after which the connection is closed.
    func lastResponse(_ id: RequestID) -> [HTTPResponsePart] {
        var (head, document) = response
        head.headerFields[.connection] = "close"
        id.write(to: &head.headerFields)
        return [.head(head), .body(document), .end(nil)]
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        let (head, document) = self.response
        let whole = Response(
            status: status, headers: head.headerFields, body: ResponseBody(byteBuffer: document))
        return request.method == .head ? whole.createHeadResponse() : whole
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

    static var databaseUnavailable: Problem {
        .unavailable(
            "database_unavailable", "the database cannot be reached: repeat the request unchanged")
    }

    /// The problem with the encoding of a body, if there is one: the server accepts one `gzip` or none.
    /// Bodies are unpacked where they are read (`Request.bytes(upTo:_:)`).
    static func encoding(of headers: HTTPFields) -> Problem? {
        let encodings = headers[values: .contentEncoding]
        switch (encodings.count, encodings.first?.lowercased()) {
        case (0, _), (1, "gzip"), (1, "identity"): return nil
        default:
            return Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip, or absent")
        }
    }

    static func notFound(_ detail: String = "this path does not exist") -> Problem {
        Problem(.notFound, "not_found", detail)
    }

    static func unprocessable(_ code: String, _ detail: String) -> Problem {
        Problem(.unprocessableContent, code, detail)
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
