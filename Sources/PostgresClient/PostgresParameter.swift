/// One parameter of a statement, encoded in PostgreSQL's binary format.
public struct PostgresParameter: Sendable {
    let oid: UInt32
    /// Nil is SQL's null.
    package let bytes: [UInt8]?

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
        var array = ArrayEncoder<Value>(count: values.count, hasNulls: false)
        for value in values { array.append(value) }
        return array.parameter
    }

    /// A one-dimensional array in which nil is SQL's null, for `unnest` beside others of the same length.
    ///
    /// Where all are nil there is no array: `unnest` of several arrays fills the shorter ones up with nulls, and one it
    /// does not have to read costs nothing.
    public static func nullableArray<Value: PostgresValue>(_ values: [Value?]) -> PostgresParameter {
        guard values.contains(where: { $0 != nil }) else { return noArray(of: Value.self) }
        var array = ArrayEncoder<Value>(count: values.count, hasNulls: true)
        for value in values {
            if let value { array.append(value) } else { array.appendNull() }
        }
        return array.parameter
    }

    /// Null in place of an array.
    public static func noArray<Value: PostgresValue>(of type: Value.Type) -> PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: nil)
    }
}

/// The wire format of `array_recv`: dimensions, a flag for nulls, the element type, then length and lower bound of the
/// dimension and the elements, each behind its length.
private struct ArrayEncoder<Value: PostgresValue> {
    private var bytes: [UInt8] = []

    init(count: Int, hasNulls: Bool) {
        bytes.reserveCapacity(20 + count * 12)
        Int32(count == 0 ? 0 : 1).encode(into: &bytes)
        Int32(hasNulls ? 1 : 0).encode(into: &bytes)
        Int32(bitPattern: Value.postgresType.oid).encode(into: &bytes)
        guard count > 0 else { return }
        Int32(count).encode(into: &bytes)
        Int32(1).encode(into: &bytes)
    }

    mutating func append(_ value: Value) {
        let position = bytes.count
        Int32(0).encode(into: &bytes)
        value.encode(into: &bytes)
        let length = Int32(bytes.count - position - 4)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length.bigEndian, toByteOffset: position, as: Int32.self)
        }
    }

    mutating func appendNull() {
        Int32(-1).encode(into: &bytes)
    }

    var parameter: PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: bytes)
    }
}
