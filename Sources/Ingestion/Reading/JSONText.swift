/// What stands between two quotes, unescaped and known to be valid UTF-8.
enum JSONText {
    /// Held no escapes: the bytes of the item itself, not to be kept beyond its reading.
    case plain(UnsafeRawBufferPointer)
    case unescaped([UInt8])

    var string: String {
        switch self {
        case .plain(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unescaped(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        switch self {
        case .plain(let bytes): body(bytes)
        case .unescaped(let bytes): bytes.withUnsafeBytes(body)
        }
    }
}
