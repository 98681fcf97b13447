/// One parameter of a statement, encoded in PostgreSQL's binary format.
public struct PostgresParameter: Sendable {
    let oid: UInt32
    /// Nil is SQL's null.
    let bytes: [UInt8]?

    public static func value<Value: PostgresValue>(_ value: Value?) -> PostgresParameter {
        var bytes: [UInt8]?
        if let value {
            var encoded: [UInt8] = []
            value.encode(into: &encoded)
            bytes = encoded
        }
        return PostgresParameter(oid: Value.postgresType.oid, bytes: bytes)
    }

    /// A one-dimensional array, for `unnest`.
    public static func array<Value: PostgresValue>(_ values: [Value]) -> PostgresParameter {
        encodedArray(values, of: Value.self, hasNulls: false) { value, bytes in
            appendElement(value, to: &bytes)
        }
    }

    /// A one-dimensional array in which nil is SQL's null.
    public static func nullableArray<Value: PostgresValue>(_ values: [Value?]) -> PostgresParameter {
        encodedArray(values, of: Value.self, hasNulls: true) { value, bytes in
            if let value {
                appendElement(value, to: &bytes)
            } else {
                Int32(-1).encode(into: &bytes)
            }
        }
    }

    /// Null in place of an array.
    public static func noArray<Value: PostgresValue>(of type: Value.Type) -> PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: nil)
    }

    /// The wire format of `array_recv`: dimensions, a flag for nulls, the element type, then length and lower bound of the
    /// dimension and the elements, each behind its length.
    private static func encodedArray<Element, Value: PostgresValue>(
        _ elements: [Element],
        of type: Value.Type,
        hasNulls: Bool,
        append: (Element, inout [UInt8]) -> Void
    ) -> PostgresParameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count * 12)
        Int32(elements.isEmpty ? 0 : 1).encode(into: &bytes)
        Int32(hasNulls ? 1 : 0).encode(into: &bytes)
        Int32(bitPattern: Value.postgresType.oid).encode(into: &bytes)
        if !elements.isEmpty {
            Int32(elements.count).encode(into: &bytes)
            Int32(1).encode(into: &bytes)
            for element in elements { append(element, &bytes) }
        }
        return PostgresParameter(oid: Value.postgresType.arrayOID, bytes: bytes)
    }

    private static func appendElement(_ value: some PostgresValue, to bytes: inout [UInt8]) {
        let lengthPosition = bytes.count
        Int32(0).encode(into: &bytes)
        value.encode(into: &bytes)
        let length = UInt32(bytes.count - lengthPosition - 4)
        for offset in 0..<4 {
            bytes[lengthPosition + offset] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(offset)))
        }
    }
}
