internal import CLibPQ

/// The rows of one result, read in place from libpq's memory.
public final class PostgresRows: Sequence {
    private let result: OpaquePointer
    private let statement: String
    public let count: Int
    /// The positions of the columns by name, once per result: libpq compares name after name at each look-up.
    private lazy var positions = Dictionary(
        (0..<PQnfields(result)).map { (String(cString: PQfname(result, $0)), Int($0)) },
        uniquingKeysWith: { first, _ in first })

    /// Takes ownership of the result.
    init(result: OpaquePointer, statement: String) {
        self.result = result
        self.statement = statement
        self.count = Int(PQntuples(result))
    }

    deinit {
        PQclear(result)
    }

    /// The command that the server executed, for some commands with the number of rows.
    var commandStatus: String { String(cString: PQcmdStatus(result)) }

    public struct Iterator: IteratorProtocol {
        fileprivate let rows: PostgresRows
        fileprivate var index = 0

        public mutating func next() -> PostgresRow? {
            guard index < rows.count else { return nil }
            defer { index += 1 }
            return PostgresRow(rows: rows, index: index)
        }
    }

    public func makeIterator() -> Iterator { Iterator(rows: self) }

    /// The names of the columns, and the numbers of their types in PostgreSQL's catalog.
    package var columns: [(name: String, type: UInt32)] {
        (0..<PQnfields(result)).map { (String(cString: PQfname(result, $0)), PQftype(result, $0)) }
    }

    public var first: PostgresRow? { count > 0 ? PostgresRow(rows: self, index: 0) : nil }

    /// All values of a column that is never null. For results of thousands of rows.
    public func column<Value: PostgresValue>(
        _ column: some PostgresColumn, as type: Value.Type = Value.self
    ) throws(PostgresError) -> [Value] {
        let column = try column.position(in: self)
        try check(column, is: Value.postgresType)
        var values: [Value] = []
        values.reserveCapacity(count)
        for row in 0..<count {
            guard let bytes = bytes(row: row, column: column) else { throw missingValue(column: column) }
            guard let value = Value(postgresBytes: bytes) else { throw malformed(column: column) }
            values.append(value)
        }
        return values
    }

    /// All values of a column; `nil` for null.
    public func optionalColumn<Value: PostgresValue>(
        _ column: some PostgresColumn, as type: Value.Type = Value.self
    ) throws(PostgresError) -> [Value?] {
        let column = try column.position(in: self)
        try check(column, is: Value.postgresType)
        var values: [Value?] = []
        values.reserveCapacity(count)
        for row in 0..<count {
            guard let bytes = bytes(row: row, column: column) else {
                values.append(nil)
                continue
            }
            guard let value = Value(postgresBytes: bytes) else { throw malformed(column: column) }
            values.append(value)
        }
        return values
    }

    /// All values of a column of one-dimensional arrays without nulls; `nil` for null.
    public func optionalArrayColumn<Value: PostgresValue>(
        _ column: Int, of type: Value.Type = Value.self
    ) throws(PostgresError) -> [[Value]?] {
        try check(column, is: Value.postgresType.arrayOID)
        var arrays: [[Value]?] = []
        arrays.reserveCapacity(count)
        for row in 0..<count {
            guard let bytes = bytes(row: row, column: column) else {
                arrays.append(nil)
                continue
            }
            guard let values = [Value](postgresArrayBytes: bytes) else { throw malformed(column: column) }
            arrays.append(values)
        }
        return arrays
    }

    fileprivate func value<Value: PostgresValue>(row: Int, column: Int, as type: Value.Type)
        throws(PostgresError) -> Value?
    {
        try check(column, is: Value.postgresType)
        guard let bytes = bytes(row: row, column: column) else { return nil }
        guard let value = Value(postgresBytes: bytes) else { throw malformed(column: column) }
        return value
    }

    fileprivate func array<Value: PostgresValue>(row: Int, column: Int, of type: Value.Type)
        throws(PostgresError) -> [Value]
    {
        try check(column, is: Value.postgresType.arrayOID)
        guard let bytes = bytes(row: row, column: column) else { return [] }
        guard let values = [Value](postgresArrayBytes: bytes) else { throw malformed(column: column) }
        return values
    }

    private func check(_ column: Int, is type: PostgresType) throws(PostgresError) {
        try check(column, is: type.oid)
    }

    private func check(_ column: Int, is oid: UInt32) throws(PostgresError) {
        guard column >= 0, column < Int(PQnfields(result)) else {
            throw .unexpectedResult(statement: statement, detail: "there is no column \(column)")
        }
        guard PQftype(result, Int32(column)) == oid else {
            throw .unexpectedResult(statement: statement, detail: "column \(column) is not of type \(oid)")
        }
    }

    /// The value's bytes in libpq's memory; `nil` for null.
    fileprivate func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, Int32(row), Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    private func malformed(column: Int) -> PostgresError {
        .unexpectedResult(statement: statement, detail: "column \(column) is malformed")
    }

    fileprivate func position(of name: String) throws(PostgresError) -> Int {
        guard let position = positions[name] else {
            throw .unexpectedResult(statement: statement, detail: "there is no column \(name)")
        }
        return position
    }

    fileprivate func missingValue(column: Int) -> PostgresError {
        .unexpectedResult(statement: statement, detail: "column \(column) is null")
    }
}

/// The name of a column, or its position in hot paths.
public protocol PostgresColumn {
    func position(in rows: PostgresRows) throws(PostgresError) -> Int
}

extension Int: PostgresColumn {
    public func position(in rows: PostgresRows) -> Int { self }
}

extension String: PostgresColumn {
    public func position(in rows: PostgresRows) throws(PostgresError) -> Int { try rows.position(of: self) }
}

/// One row of a result. Reading is strict about types.
public struct PostgresRow {
    private let rows: PostgresRows
    private let index: Int

    fileprivate init(rows: PostgresRows, index: Int) {
        self.rows = rows
        self.index = index
    }

    /// A column that is never null.
    public func get<Value: PostgresValue>(_ column: some PostgresColumn, as type: Value.Type = Value.self)
        throws(PostgresError) -> Value
    {
        let column = try column.position(in: rows)
        guard let value = try rows.value(row: index, column: column, as: type) else {
            throw rows.missingValue(column: column)
        }
        return value
    }

    public func getOptional<Value: PostgresValue>(
        _ column: some PostgresColumn, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value? {
        try rows.value(row: index, column: column.position(in: rows), as: type)
    }

    public func isNull(_ column: some PostgresColumn) throws(PostgresError) -> Bool {
        try rows.bytes(row: index, column: column.position(in: rows)) == nil
    }

    /// A column of one-dimensional arrays without nulls. Null is read as an empty array.
    public func getArray<Value: PostgresValue>(
        _ column: some PostgresColumn, of type: Value.Type = Value.self
    ) throws(PostgresError) -> [Value] {
        try rows.array(row: index, column: column.position(in: rows), of: type)
    }
}

extension PostgresRows {
    /// The only row of a statement that always returns one.
    public func single() throws(PostgresError) -> PostgresRow {
        guard count == 1, let row = first else {
            throw .unexpectedResult(statement: statement, detail: "\(count) rows instead of one")
        }
        return row
    }
}
