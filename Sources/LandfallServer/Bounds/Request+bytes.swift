internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import NIOCore

extension Request {
    /// Reads the body, and unpacks it if necessary. Every byte is taken from the budget before it is kept.
    /// The next part is read from the wire only after this one is processed, and a packed part is unpacked
    /// only as far as there is room, so that a gzip bomb costs no more than any other body.
    ///
    /// - Throws: 413 if the unpacked body is too large, 503 if the budget is spent, 400 for invalid gzip.
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

/// The bytes of one body as they arrive. In blocks, because an array that grows takes up to three times its
/// size while it moves. As copies, because a part of a body keeps the whole read buffer alive.
struct ReceivedBody {
    private static let blockBytes = 256 * 1_024

    private let limit: Int
    private var blocks: [[UInt8]] = []
    private(set) var count = 0

    /// - Parameter limit: the largest size in bytes.
    init(upTo limit: Int) {
        self.limit = limit
    }

    /// - Throws: 413 if the body is larger than the limit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
        guard count + bytes.count <= limit else { throw .bodyTooLarge }
        count += bytes.count
        var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
        while !rest.isEmpty {
            if blocks.last.map({ $0.count == Self.blockBytes }) ?? true {
                blocks.append([])
                // Small bodies have one small block.
                blocks[blocks.count - 1].reserveCapacity(blocks.count > 1 ? Self.blockBytes : rest.count)
            }
            let last = blocks.count - 1
            let taken = min(rest.count, Self.blockBytes - blocks[last].count)
            blocks[last].append(contentsOf: rest[..<taken])
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
        }
    }

    /// All bytes in one array. Each block is freed once it is copied.
    consuming func joined() -> [UInt8] {
        guard blocks.count > 1 else { return blocks.first ?? [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in blocks.indices {
            bytes.append(contentsOf: blocks[index])
            blocks[index] = []
        }
        return bytes
    }
}
