internal import Documents
internal import Hummingbird
internal import NIOCore
internal import Reports

/// A report in its wire format.
struct WrittenReport: Sendable {
    /// With a newline at the end, as the command line prints it.
    private let text: String
    private let tag: ReportTag

    init(_ document: JSONValue) {
        text = document.indentedText + "\n"
        tag = ReportTag(of: document)
    }

    /// The report of a closed window may be reused for an hour. Any other is requested each time, and the server responds with
    /// 304 if no number has changed. Only the caller may store it, and only for the same key.
    func response(isClosed: Bool, ifNoneMatch: [String]) -> Response {
        var headers: HTTPFields = [
            .eTag: tag.text, .vary: "Authorization",
            .cacheControl: isClosed ? "private, max-age=3600" : "private, no-cache",
        ]
        guard !tag.matches(ifNoneMatch) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "application/json"
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
