internal import Hummingbird
internal import NIOCore
internal import Reports

/// A report as it goes over the wire.
struct WrittenReport: Sendable {
    /// With a line break at the end, as the command line prints it.
    private let text: String
    private let tag: ReportTag

    init(_ document: JSONValue) {
        text = document.indentedText + "\n"
        tag = ReportTag(of: document)
    }

    /// The report of a closed window may be shown again for an hour; any other is asked for each time, and answered 304 when no
    /// number has changed. Only the caller may keep it, and only for the same key.
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
