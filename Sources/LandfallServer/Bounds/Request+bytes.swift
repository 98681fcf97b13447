internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import NIOCore

extension Request {
    /// Reads the body, unpacked where it came packed. Every byte is taken from the budget before it is kept. The next part is not read
    /// from the wire before this one is dealt with, and a packed one is unpacked as far as there is room, so that a bomb costs no more
    /// than any other body.
    ///
    /// - Throws: 413 for a body that is too large once unpacked, 503 when the budget is spent, 400 for what is no gzip.
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
