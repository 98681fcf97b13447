internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

extension Problem {
    /// The answer behind which the connection is closed, as it is written to a channel.
    var lastAnswer: [HTTPResponsePart] {
        let document = (try? document()) ?? ByteBuffer()
        var headers = headers
        headers[.contentType] = Self.contentType
        headers[.contentLength] = String(document.readableBytes)
        headers[.connection] = "close"
        return [.head(HTTPResponse(status: status, headerFields: headers)), .body(document), .end(nil)]
    }
}
