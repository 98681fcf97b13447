/// Rows that are read into a `Decodable` type, for statements that run now and then: decoding costs
/// microseconds per row.
///
/// A property is read from the column of its name: `lastSeenAt` from `last_seen_at`, `tokenID` from
/// `token_id`. Columns are ``PostgresValue``s, arrays of text, and words of a closed vocabulary, an unknown
/// one of which is an error. An optional property is `nil` for null. A property of any other type is decoded
/// from the same row: it groups some of its columns. Name the type where an optional is expected, as in
/// `rows.first?.decode(Fact.self)`: a row is never null.
extension PostgresRow {
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> Value {
        do {
            return try Value(from: RowDecoder(row: self))
        } catch let error as PostgresError {
            throw error
        } catch {
            throw .unexpectedResult(statement: "\(Value.self)", detail: "\(error)")
        }
    }

    /// Chosen where an optional is inferred, and a warning there: `Value` would be the optional type.
    @available(*, deprecated, message: "a row is never null: name the type, as in decode(Fact.self)")
    public func decode<Value: Decodable>(_ type: Value?.Type = Value?.self) throws(PostgresError) -> Value? {
        try decode(Value.self)
    }
}

extension PostgresRows {
    /// All rows, each as one value.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> [Value] {
        try map { row throws(PostgresError) in try row.decode(type) }
    }
}

private struct RowDecoder: Decoder {
    let row: PostgresRow
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowColumns(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noColumns }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noColumns }
}

/// A row has columns with names, and nothing else.
private var noColumns: PostgresError {
    .unexpectedResult(statement: "a row", detail: "it can only be decoded as columns with names")
}

private struct RowColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: PostgresRow
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    /// True even if there is no such column, so that reading it throws.
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { try row.isNull(column(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let column = column(key)
        let value: Any =
            if let type = type as? any PostgresValue.Type {
                try row.get(column, as: type)
            } else if type == [String].self {
                try row.getArray(column, of: String.self)
            } else if let word = type as? any RawRepresentable<String>.Type {
                try word.init(known: try row.get(column))
            } else {
                try Value(from: RowDecoder(row: row))
            }
        guard let value = value as? Value else { throw noColumns }
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw noColumns }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw noColumns }

    func superDecoder() throws -> any Decoder { throw noColumns }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw noColumns }

    /// `last_seen_at` for `lastSeenAt`, `token_id` for `tokenID`.
    private func column(_ key: Key) -> String {
        var (name, isInCapitals) = ("", false)
        for letter in key.stringValue {
            if letter.isUppercase, !isInCapitals { name += "_" }
            name += letter.lowercased()
            isInCapitals = letter.isUppercase
        }
        return name
    }
}
