/// A composite type of the schema, by qualified name. Its fields never change: two versions may be connected.
public struct PostgresRowType: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }
}

/// The wire format of an array of rows (`record_recv`): each row's length and number of fields, then each
/// field's type, length and value.
public struct PostgresRowEncoder: Sendable {
    private(set) var bytes: [UInt8] = []
    private var fieldCount: Int32 = 0

    /// Encodes fields that many rows have in common, once for all of them.
    public init(encoding fields: (inout PostgresRowEncoder) -> Void) { fields(&self) }

    init(rowCount: Int) {
        bytes.reserveCapacity(20 + rowCount * 256)
        // The object id of the type is not known here.
        appendArrayHeader(of: 0, count: rowCount, hasNulls: false, to: &bytes)
    }

    public mutating func append<Value: PostgresValue>(_ value: Value) {
        fieldCount += 1
        Int32(bitPattern: Value.postgresType.oid).encode(into: &bytes)
        value.encodeBehindLength(into: &bytes)
    }

    /// `nil` is SQL's null.
    public mutating func append<Value: PostgresValue>(_ value: Value?) {
        if let value { return append(value) }
        fieldCount += 1
        Int32(bitPattern: Value.postgresType.oid).encode(into: &bytes)
        Int32(-1).encode(into: &bytes)
    }

    /// A one-dimensional array; `nil` is SQL's null.
    public mutating func append<Value: PostgresValue>(array values: [Value]?) {
        fieldCount += 1
        Int32(bitPattern: Value.postgresType.arrayOID).encode(into: &bytes)
        guard let values else { return Int32(-1).encode(into: &bytes) }
        let start = bytes.count
        Int32(0).encode(into: &bytes)
        appendArrayHeader(of: Value.postgresType.oid, count: values.count, hasNulls: false, to: &bytes)
        for value in values { value.encodeBehindLength(into: &bytes) }
        let length = Int32(bytes.count - start - 4)
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length.bigEndian, toByteOffset: start, as: Int32.self)
        }
    }

    /// Fields that were encoded before.
    public mutating func append(fields: PostgresRowEncoder) {
        fieldCount += fields.fieldCount
        bytes.append(contentsOf: fields.bytes)
    }

    /// Returns the offset at which the row begins.
    mutating func beginRow() -> Int {
        let start = bytes.count
        fieldCount = 0
        Int32(0).encode(into: &bytes)
        Int32(0).encode(into: &bytes)
        return start
    }

    mutating func endRow(from start: Int) {
        let length = Int32(bytes.count - start - 4)
        bytes.withUnsafeMutableBytes { [fieldCount] in
            $0.storeBytes(of: length.bigEndian, toByteOffset: start, as: Int32.self)
            $0.storeBytes(of: fieldCount.bigEndian, toByteOffset: start + 4, as: Int32.self)
        }
    }
}
