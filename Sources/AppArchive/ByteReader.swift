internal import Foundation

/// Reads numbers from bytes of unknown origin: every read is checked.
struct ByteReader {
    private let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The bytes from `offset` on; `nil` if there are not that many.
    func slice(_ offset: Int, _ count: Int) -> Data? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        return bytes.subdata(in: bytes.startIndex + offset..<bytes.startIndex + offset + count)
    }

    func little16(_ offset: Int) -> Int? { little(offset, 2) }
    func little32(_ offset: Int) -> Int? { little(offset, 4) }
    /// `nil` also if it is more than an `Int` holds.
    func little64(_ offset: Int) -> Int? { little(offset, 8) }
    func big32(_ offset: Int) -> Int? { slice(offset, 4)?.reduce(0) { $0 << 8 | Int($1) } }

    private func little(_ offset: Int, _ count: Int) -> Int? {
        guard let bytes = slice(offset, count) else { return nil }
        return Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
