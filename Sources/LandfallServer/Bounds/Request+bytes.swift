internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import NIOCore

extension Request {
    /// Reads the body, and unpacks it if necessary. Every byte is taken from the budget before it is kept. The next part is read
    /// from the wire only after this one is processed, and a packed part is unpacked only as far as there is room, so that a gzip
    /// bomb costs no more than any other body.
    ///
    /// - Throws: 413 if the unpacked body is too large, 503 if the budget is spent, 400 if the body is not valid gzip.
    func bytes(upTo limit: Int, _ share: inout IntakeBudget.Share) async throws -> [UInt8] {
        var received = ReceivedBody(upTo: limit)
        guard headers[.contentEncoding]?.lowercased() == "gzip" else {
            for try await part in body {
                try share.take(part.readableBytes)
                try part.withUnsafeReadableBytes { try received.append($0) }
            }
            return received.joined()
        }
        let gunzip = try Gunzip()
        for try await part in body {
            try part.withUnsafeReadableBytes { packed in
                try gunzip.unpack(packed) { piece in
                    try share.take(piece.count)
                    try received.append(piece)
                }
            }
        }
        try gunzip.finish()
        return received.joined()
    }
}
