/// JSON under construction. Names are our own and are not escaped; values are.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A member that no comma comes before.
    mutating func first(_ name: StaticString, _ value: Int64) {
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func member(_ name: StaticString, _ value: Int64) {
        bytes.append(UInt8(ascii: ","))
        first(name, value)
    }

    /// Null in place of nil.
    mutating func member(_ name: StaticString, _ value: String?) {
        member(name, value.map { $0.utf8 })
    }

    /// Null in place of nil; else text in UTF-8.
    mutating func member(_ name: StaticString, _ value: (some Sequence<UInt8>)?) {
        bytes.append(UInt8(ascii: ","))
        self.name(name)
        guard let value else { return raw("null") }
        bytes.append(UInt8(ascii: "\""))
        for byte in value { append(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func name(_ name: StaticString) {
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
