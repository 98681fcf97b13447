/// The text between two quotes, unescaped and known to be valid UTF-8.
enum JSONText {
    /// The text had no escapes. These are bytes of the item itself, valid only while it is read.
    case plain(UnsafeRawBufferPointer)
    case unescaped([UInt8])

    var string: String {
        switch self {
        case .plain(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unescaped(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    func withBytes<Response>(_ body: (UnsafeRawBufferPointer) -> Response) -> Response {
        switch self {
        case .plain(let bytes): body(bytes)
        case .unescaped(let bytes): bytes.withUnsafeBytes(body)
        }
    }
}
