/// One parameter of a statement, encoded in PostgreSQL's binary format.
public struct PostgresParameter: Sendable {
    let oid: UInt32
    /// `nil` is SQL's null.
    public let bytes: [UInt8]?
    /// The row type of an array of rows. Its object id varies by database, so the connection fills it in.
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
        array(of: Value.self, values, hasNulls: false) { $0.encodeBehindLength(into: &$1) }
    }

    /// A one-dimensional array with `nil` as SQL's null, for `unnest` with others of the same length.
    ///
    /// If all are `nil`, null is sent instead of an array: `unnest` of several arrays pads the shorter ones
    /// with nulls, and an array that is not there costs nothing to read.
    public static func nullableArray<Value: PostgresValue>(_ values: [Value?]) -> PostgresParameter {
        guard values.contains(where: { $0 != nil }) else { return noArray(of: Value.self) }
        return array(of: Value.self, values, hasNulls: true) { value, bytes in
            if let value { value.encodeBehindLength(into: &bytes) } else { Int32(-1).encode(into: &bytes) }
        }
    }

    /// An array of rows of a composite type. `unnest($1::type[])` reads it several times faster than one
    /// array per column, which PostgreSQL stores one by one before it assembles their rows.
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

    /// The parameter for a database in which the row type has this object id.
    func typed(_ rowTypeOID: UInt32) -> PostgresParameter {
        var bytes = bytes
        bytes?.withUnsafeMutableBytes {
            $0.storeBytes(of: rowTypeOID.bigEndian, toByteOffset: elementTypeOffset, as: UInt32.self)
        }
        return PostgresParameter(oid: oid, bytes: bytes)
    }

    private static func array<Value: PostgresValue, Element>(
        of type: Value.Type, _ elements: [Element], hasNulls: Bool, append: (Element, inout [UInt8]) -> Void
    ) -> PostgresParameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count * 12)
        appendArrayHeader(of: type.postgresType.oid, count: elements.count, hasNulls: hasNulls, to: &bytes)
        for element in elements { append(element, &bytes) }
        return PostgresParameter(oid: type.postgresType.arrayOID, bytes: bytes)
    }

    /// Null instead of an array.
    public static func noArray<Value: PostgresValue>(of type: Value.Type) -> PostgresParameter {
        PostgresParameter(oid: Value.postgresType.arrayOID, bytes: nil)
    }
}

/// Appends an array's header in the format of `array_recv`: dimensions, a flag for nulls, the element type,
/// length and lower bound of the dimension. The elements follow, each after its length.
func appendArrayHeader(of oid: UInt32, count: Int, hasNulls: Bool, to bytes: inout [UInt8]) {
    Int32(count == 0 ? 0 : 1).encode(into: &bytes)
    Int32(hasNulls ? 1 : 0).encode(into: &bytes)
    Int32(bitPattern: oid).encode(into: &bytes)
    guard count > 0 else { return }
    Int32(count).encode(into: &bytes)
    Int32(1).encode(into: &bytes)
}

/// The offset of the element type in the header.
private let elementTypeOffset = 8
