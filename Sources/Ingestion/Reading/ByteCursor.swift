/// A position in bytes that the caller keeps alive. Past the last byte it reads 0, which JSON never contains: a reader that
/// expects a certain byte finds the end as one more byte that does not match.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    var current: UInt8 { isAtEnd ? 0 : bytes[position] }

    /// The bytes passed since an earlier position.
    func passed(since start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Advances, but never past the end.
    mutating func advance(by count: Int = 1) {
        position = min(position + count, bytes.count)
    }

    /// Passes the byte if it is the current one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte, !isAtEnd else { return false }
        position += 1
        return true
    }

    mutating func skipWhiteSpace() {
        while current.isWhiteSpace { position += 1 }
    }

    mutating func skipLine() {
        position += bytes[position...].prefix { $0 != .newline }.count
    }

    /// Passes bytes that represent themselves inside quotes: ASCII except controls, quotes and backslashes; eight at a time.
    mutating func skipPlainText() {
        while bytes.count - position >= 8 {
            let stops = EightBytes(bytes, at: position).stops
            guard stops == 0 else {
                position += stops.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
        while !isAtEnd, bytes[position].isPlainText { position += 1 }
    }
}

/// Eight bytes of text, the first one lowest, tested all at once.
private struct EightBytes {
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// The high bit of every byte that is not plain text. A borrow can set bits above the first such byte, never below.
    var stops: UInt64 {
        let controls = (word &- Self.ones &* 0x20) & ~word
        return
            (controls | zeros(word ^ Self.ones &* UInt64(UInt8.quote))
            | zeros(word ^ Self.ones &* UInt64(UInt8.backslash)) | word) & Self.highBits
    }

    private func zeros(_ word: UInt64) -> UInt64 { (word &- Self.ones) & ~word }
}
