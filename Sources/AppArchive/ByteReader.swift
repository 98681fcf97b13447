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

    func little16(_ offset: Int) -> Int? {
        number(offset, 2).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }
    func little32(_ offset: Int) -> Int? {
        number(offset, 4).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }
    func big32(_ offset: Int) -> Int? { number(offset, 4).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// `nil` also if it is more than an `Int` holds.
    func little64(_ offset: Int) -> Int? {
        guard let bytes = number(offset, 8) else { return nil }
        return Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func number(_ offset: Int, _ count: Int) -> Data? { slice(offset, count) }
}
