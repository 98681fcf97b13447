internal import HTTPTypes

/// Request bodies in gzip. They are unpacked where they are read (`Request.bytes(upTo:_:)`).
enum GzipRequests {
    /// The problem with the encoding of a body, if there is one: the server accepts one `gzip` or none.
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
