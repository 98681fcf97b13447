/// One parameter of a statement, encoded in PostgreSQL's binary format.
public struct PostgresParameter: Sendable {
    let oid: UInt32
    /// Nil is SQL's null.
    public let bytes: [UInt8]?
    /// Of an array of rows. What number the type has differs from database to database: the connection puts it in.
    var rowType: PostgresRowType?

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

    /// An array of rows of a composite type: `unnest($1::type[])` reads it several times faster than one array per column,
    /// which PostgreSQL stores one by one before it puts their rows together.
    ///
    /// - Parameter append: appends the row's fields, in the order of the type.
    public static func rows<Row>(
        _ type: PostgresRowType, _ rows: [Row], append: (Row, inout PostgresRowEncoder) -> Void
    ) -> PostgresParameter {
        var encoder = PostgresRowEncoder(rowCount: rows.count)
        for row in rows {
            let start = encoder.beginRow()
            append(row, &encoder)
            encoder.endRow(from: start)
        }
        return PostgresParameter(oid: 0, bytes: encoder.bytes, rowType: type)
    }

    /// The parameter as a database takes it in which the row type has this number.
    func typed(_ rowTypeOID: UInt32) -> PostgresParameter {
        var bytes = bytes
        bytes?.withUnsafeMutableBytes {
            $0.storeBytes(of: rowTypeOID.bigEndian, toByteOffset: elementTypeOffset, as: UInt32.self)
        }
        return PostgresParameter(oid: oid, bytes: bytes)
    }

    /// Null in place of an array.
    public static func noArray<Value: PostgresValue>(of type: Value.Type) -> PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: nil)
    }
}

/// How `array_recv` wants an array to begin: dimensions, a flag for nulls, the element type, length and lower bound of the
/// dimension. The elements follow, each behind its length.
func appendArrayHeader(of oid: UInt32, count: Int, hasNulls: Bool, to bytes: inout [UInt8]) {
    Int32(count == 0 ? 0 : 1).encode(into: &bytes)
    Int32(hasNulls ? 1 : 0).encode(into: &bytes)
    Int32(bitPattern: oid).encode(into: &bytes)
    guard count > 0 else { return }
    Int32(count).encode(into: &bytes)
    Int32(1).encode(into: &bytes)
}

/// Where the header has the element type.
private let elementTypeOffset = 8

private struct ArrayEncoder<Value: PostgresValue> {
    private var bytes: [UInt8] = []

    init(count: Int, hasNulls: Bool) {
        bytes.reserveCapacity(20 + count * 12)
        appendArrayHeader(of: Value.postgresType.oid, count: count, hasNulls: hasNulls, to: &bytes)
    }

    mutating func append(_ value: Value) {
        value.encodeBehindLength(into: &bytes)
    }

    mutating func appendNull() {
        Int32(-1).encode(into: &bytes)
    }

    var parameter: PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: bytes)
    }
}
