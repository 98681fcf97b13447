internal import Ingestion

/// Checks compressed request bodies in parts of any length, as the server decompresses them.
enum GzipCheck {
    private static let limit = 4_096

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var choices = FuzzBytes(bytes)
        let partLength = Int(choices.byte()) + 1
        let body = choices.all()
        try checkAnything(body, partLength: partLength)
        try checkStored(body, partLength: partLength)
        try checkWhole(body, partLength: partLength)
    }

    /// Any bytes decompress to a result within the limit, or fail.
    private static func checkAnything(_ body: [UInt8], partLength: Int) throws(FuzzFinding) {
        guard let unpacked = try? unpack(body, partLength: partLength) else { return }
        try FuzzFinding.require(
            unpacked.count <= limit, "\(unpacked.count) bytes passed the limit of \(limit)")
    }

    /// A compressed body decompresses to itself, or fails if it is too long.
    private static func checkStored(_ body: [UInt8], partLength: Int) throws(FuzzFinding) {
        let packed = StoredGzip.packed(body)
        let unpacked = try? unpack(packed, partLength: partLength)
        if body.count <= limit {
            try FuzzFinding.require(unpacked == body, "\(body.count) bytes do not unpack to themselves")
        } else {
            try FuzzFinding.require(unpacked == nil, "\(body.count) bytes passed the limit of \(limit)")
        }
    }

    /// A body that is truncated or followed by more bytes is decompressed completely or rejected: no part of
    /// it may be lost.
    private static func checkWhole(_ body: [UInt8], partLength: Int) throws(FuzzFinding) {
        let body = Array(body.prefix(limit / 2))
        let packed = StoredGzip.packed(body)
        let cut = Array(packed.dropLast(1 + partLength % packed.count))
        try FuzzFinding.require(
            (try? unpack(cut, partLength: partLength)) == nil,
            "\(cut.count) of \(packed.count) packed bytes are taken for a body")
        let twice = try? unpack(packed + packed, partLength: partLength)
        try FuzzFinding.require(
            twice == nil || twice == body + body, "of two packed parts the second is lost")
    }

    private struct TooLong: Error {}

    private static func unpack(_ body: [UInt8], partLength: Int) throws -> [UInt8] {
        let gunzip = try Gunzip()
        var unpacked: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: partLength) {
            try body[start..<min(start + partLength, body.count)].withUnsafeBytes { part in
                try gunzip.unpack(part) { piece in
                    guard unpacked.count + piece.count <= limit else { throw TooLong() }
                    unpacked += piece
                }
            }
        }
        try gunzip.finish()
        return unpacked
    }
}
