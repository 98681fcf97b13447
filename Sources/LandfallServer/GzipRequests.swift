internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Unpacks gzip request bodies as they stream in.
///
/// NIO's decompressor speaks HTTP/1 parts, Hummingbird adds handlers behind the codec that turns these into `HTTPTypes`; so
/// this handler, once added, puts the decompressor in front of the codec. It goes by the size after unpacking: a bomb costs
/// no more than the limit.
final class GzipRequests: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let unpackedLimit: Int

    init(unpackedLimit: Int) {
        self.unpackedLimit = unpackedLimit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(
                NIOHTTPRequestDecompressor(limit: .size(unpackedLimit)), position: .before(codec))
        } catch {
            // Without the codec there is no HTTP/1 here; a packed body would be taken for JSON.
            context.close(promise: nil)
        }
    }

    /// The decompressor passes unknown encodings through as they are, and unpacks `gzip, gzip` once only: one `gzip` or none
    /// is what we take.
    static func check(_ headers: HTTPFields) throws {
        let encodings = headers[values: .contentEncoding]
        switch (encodings.count, encodings.first?.lowercased()) {
        case (0, _), (1, "gzip"), (1, "identity"): return
        default:
            throw Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip, or absent")
        }
    }
}
