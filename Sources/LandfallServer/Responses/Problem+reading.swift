internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

extension Problem {
    static let bodyTooLarge = Problem(
        .contentTooLarge, "body_too_large",
        "the body is larger than this server accepts, compressed or unpacked")
    static let requestTimeout = Problem(
        .requestTimeout, "request_timeout", "the request was not complete in time: repeat it unchanged")

    /// The client's mistake if its bytes could not be read. `nil` for errors of the connection itself, when
    /// there is no client to respond to.
    init?(reading error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow:
            self = Problem(
                .requestHeaderFieldsTooLarge, "headers_too_large",
                "the header fields are longer, or more numerous, than this server accepts")
        case is HTTPParserError, is HTTP1TypeConversionError:
            self = Problem(.badRequest, "invalid_request", "this is not HTTP/1.1, or it ended too early")
        default: return nil
        }
    }
}
