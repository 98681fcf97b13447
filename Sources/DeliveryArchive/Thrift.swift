/// A value in Thrift's compact protocol, the form of Parquet's page headers and footer.
///
/// Source: doc/specs/thrift-compact-protocol.md of apache/thrift. A field of a record is one byte, which has
/// the distance from the last field's id in the upper four bits and the type in the lower ones, and then the
/// value; a zero byte ends the record. Integers are zigzag varints, a text follows its length, a list follows
/// a byte with its length (15: a varint follows) and the type of its elements. True is in the type alone. A
/// union is a record with one field.
indirect enum Thrift {
    case yes
    /// Also an enum.
    case int32(Int)
    case int64(Int)
    case text(String)
    /// Not empty.
    case list([Thrift])
    /// In ascending order of the ids.
    case record([Field])

    /// The id and the value.
    typealias Field = (UInt8, Thrift)

    private var type: UInt8 {
        switch self {
        case .yes: 1
        case .int32: 5
        case .int64: 6
        case .text: 8
        case .list: 9
        case .record: 12
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .yes: return []
        case .int32(let number), .int64(let number):
            return [UInt8].varint(UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
        case .text(let text): return [UInt8].varint(UInt64(text.utf8.count)) + Array(text.utf8)
        case .list(let elements):
            let count = elements.count
            var bytes = [UInt8(min(count, 15)) << 4 | (elements.first?.type ?? 12)]
            if count >= 15 { bytes += [UInt8].varint(UInt64(count)) }
            for element in elements { bytes += element.bytes }
            return bytes
        case .record(let fields):
            var (bytes, last): ([UInt8], UInt8) = ([], 0)
            for (id, value) in fields {
                bytes.append((id - last) << 4 | value.type)
                bytes += value.bytes
                last = id
            }
            return bytes + [0]
        }
    }
}

extension [UInt8] {
    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    static func varint(_ number: UInt64) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
