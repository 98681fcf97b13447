/// A builder of JSON that is written too often for an encoder. Names are constants and are not escaped;
/// values are. Members add their own commas; everything else is ``raw(_:)``.
package struct JSONBytes {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes null for `nil`.
    package mutating func member(_ name: StaticString, _ value: String?) {
        member(name, value.map { $0.utf8 })
    }

    /// Writes null for `nil`, otherwise text in UTF-8.
    package mutating func member(_ name: StaticString, _ value: (some Sequence<UInt8>)?) {
        self.name(name)
        guard let value else { return raw("null") }
        bytes.append(UInt8(ascii: "\""))
        for byte in value { append(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// - Parameter document: complete JSON, written as it is.
    package mutating func member(_ name: StaticString, document: some Sequence<UInt8>) {
        self.name(name)
        bytes.append(contentsOf: document)
    }

    private mutating func name(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        raw(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            raw(#"\u00"#)
            for digit in [byte >> 4, byte & 0xF] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        default:
            bytes.append(byte)
        }
    }
}
