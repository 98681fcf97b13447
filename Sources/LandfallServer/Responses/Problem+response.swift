internal import Documents
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

extension Problem {
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
}
