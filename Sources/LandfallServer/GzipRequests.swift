internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOHTTPTypesHTTP1

/// Request bodies in gzip.
enum GzipRequests {
    /// Unpacks bodies as they stream in. It goes by the size after unpacking: a bomb costs no more than the limit.
    ///
    /// NIO's decompressor speaks HTTP/1 parts, so it stands in front of the codec that turns these into `HTTPTypes`.
    static func unpack(in pipeline: ChannelPipeline.SynchronousOperations, upTo limit: Int) throws {
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(NIOHTTPRequestDecompressor(limit: .size(limit)), position: .before(codec))
    }

    /// What is wrong with the encoding of a body, if anything is.
    ///
    /// The decompressor passes unknown encodings through as they are, and unpacks `gzip, gzip` once only: one `gzip` or none
    /// is what we take.
    static func problem(_ headers: HTTPFields) -> Problem? {
        let encodings = headers[values: .contentEncoding]
        switch (encodings.count, encodings.first?.lowercased()) {
        case (0, _), (1, "gzip"), (1, "identity"): return nil
        default:
            return Problem(
                .unsupportedMediaType, "unsupported_encoding", "Content-Encoding must be gzip, or absent")
        }
    }
}
