internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// Checks arrays of any values, with and without nulls, with a parser of PostgreSQL's `array_recv` format,
/// and reads them back: the server sends the same format that it receives.
enum ArrayCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        // Any bytes must be read as an array or as none.
        _ = [Int64](received: bytes)
        _ = [String](received: bytes)
        var choices = FuzzBytes(bytes)
        switch choices.byte() % 9 {
        case 0: try check(values(&choices) { Int64(bitPattern: $0.number()) }, type: 20)
        case 1: try check(values(&choices) { Int32(truncatingIfNeeded: $0.number()) }, type: 23)
        case 2: try check(values(&choices) { Int16(truncatingIfNeeded: $0.number()) }, type: 21)
        case 3: try check(values(&choices) { $0.byte() & 1 == 1 }, type: 16)
        case 4: try check(values(&choices) { Double($0.number() % 1_000_000) / 8 }, type: 701)
        case 5:
            try check(
                values(&choices) { String(decoding: $0.bytes(Int($0.byte())), as: UTF8.self) }, type: 25)
        case 6: try check(values(&choices) { $0.bytes(Int($0.byte())) }, type: 17)
        case 7: try check(values(&choices) { uuid(&$0) }, type: 2950)
        default:
            try check(
                values(&choices) {
                    // 4,000 years before and after 1970; values beyond PostgreSQL's range are clamped.
                    Instant(millisecondsSinceEpoch: Int64(bitPattern: $0.number()) >> 16)
                }, type: 1184)
        }
    }

    private static func values<Value>(_ choices: inout FuzzBytes, _ next: (inout FuzzBytes) -> Value)
        -> [Value?]
    {
        var values: [Value?] = []
        while !choices.isAtEnd, values.count < 1_000 {
            values.append(choices.byte() % 5 == 0 ? nil : next(&choices))
        }
        return values
    }

    private static func uuid(_ choices: inout FuzzBytes) -> UUID {
        let halves = (choices.number(), choices.number())
        return withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func check<Value: PostgresValue & Equatable>(
        _ values: [Value?], type: UInt32
    ) throws(FuzzFinding) {
        try check(PostgresParameter.array(values.compactMap(\.self)), values.compactMap(\.self), type: type)
        let parameter = PostgresParameter.nullableArray(values)
        if values.allSatisfy({ $0 == nil }) {
            try FuzzFinding.require(parameter.bytes == nil, "nothing but nulls is an array")
        } else {
            try check(parameter, values, type: type)
        }
    }

    private static func check<Value: PostgresValue & Equatable>(
        _ parameter: PostgresParameter, _ values: [Value?], type: UInt32
    ) throws(FuzzFinding) {
        let array = try ReceivedArray(parameter.bytes ?? [], elementType: type)
        try FuzzFinding.require(
            array.elements.count == values.count, "\(array.elements.count) of \(values.count) elements")
        for (element, value) in zip(array.elements, values) {
            let received = element.flatMap { bytes in bytes.withUnsafeBytes { Value(postgresBytes: $0) } }
            try FuzzFinding.require(
                received == value, "\(String(describing: value)) arrives as \(received as Any)")
        }
        let whole = [Value](received: parameter.bytes ?? [])
        let expected = values.contains { $0 == nil } ? nil : values.compactMap(\.self)
        try FuzzFinding.require(whole == expected, "\(values) is read as \(whole as Any)")
    }
}

extension Array where Element: PostgresValue {
    fileprivate init?(received bytes: [UInt8]) {
        guard let values = bytes.withUnsafeBytes({ [Element](postgresArrayBytes: $0) }) else { return nil }
        self = values
    }
}
