/// Reads Thrift's compact protocol. Shares no code with the writer.
struct ThriftReader {
    indirect enum Value: Equatable {
        case flag(Bool), number(Int), text(String), list([Value]), record([Int: Value])

        subscript(_ path: Int...) -> Value? {
            path.reduce(self as Value?) { value, id in
                switch value {
                case .record(let fields): fields[id]
                case .list(let elements): elements[id]
                default: nil
                }
            }
        }

        var number: Int? { if case .number(let number) = self { number } else { nil } }
        var count: Int? { if case .list(let elements) = self { elements.count } else { nil } }
    }

    private(set) var position: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], at position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    private mutating func byte() -> UInt8 {
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func varint() -> Int {
        var (number, shift) = (0, 0)
        while true {
            let next = byte()
            number |= Int(next & 0x7F) << shift
            shift += 7
            if next & 0x80 == 0 { return number }
        }
    }

    private mutating func value(_ type: UInt8) -> Value {
        switch type {
        case 1, 2: return .flag(type == 1)
        case 5, 6:
            let zigzag = varint()
            return .number((zigzag >> 1) ^ -(zigzag & 1))
        case 8:
            let count = varint()
            defer { position += count }
            return .text(String(decoding: bytes[position..<position + count], as: UTF8.self))
        case 9:
            let head = byte()
            let count = head >> 4 == 15 ? varint() : Int(head >> 4)
            return .list((0..<count).map { _ in value(head & 15) })
        default: return record()
        }
    }

    mutating func record() -> Value {
        var (fields, last) = ([Int: Value](), 0)
        while true {
            let head = byte()
            if head == 0 { return .record(fields) }
            last += Int(head >> 4)
            fields[last] = value(head & 15)
        }
    }
}
