internal import PostgresClient

/// A column of an archive: one that the statement `archived_rows` returns.
struct ArchivedColumn: Equatable {
    /// The raw value is the type's number in PostgreSQL's catalog.
    enum Kind: UInt32 {
        case flag = 16
        case integer = 20
        case text = 25
        case instant = 1184
    }

    let name: String
    let kind: Kind

    static func all(of rows: PostgresRows) throws(PostgresError) -> [ArchivedColumn] {
        try rows.columns.map { column throws(PostgresError) in
            guard let kind = Kind(rawValue: column.type) else {
                throw .unexpectedResult(statement: column.name, detail: "an archive has no such type")
            }
            return ArchivedColumn(name: column.name, kind: kind)
        }
    }

    func value(of row: PostgresRow, at position: Int) throws(PostgresError) -> ArchivedValue? {
        switch kind {
        case .flag: try row.getOptional(position, as: Bool.self).map { .flag($0) }
        case .integer: try row.getOptional(position, as: Int64.self).map { .integer($0) }
        case .text: try row.getOptional(position, as: String.self).map { .text($0) }
        case .instant: try row.getOptional(position, as: Instant.self).map { .instant($0) }
        }
    }
}

enum ArchivedValue {
    case flag(Bool), integer(Int64), text(String), instant(Instant)

    var json: JSONValue {
        switch self {
        case .flag(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        case .instant(let instant): .string(instant.rfc3339)
        }
    }
}

/// Turns rows into the bytes of a file. Each call returns those that are to be written next.
protocol RowEncoder {
    mutating func append(_ row: [ArchivedValue?]) throws(ArchiveError) -> [UInt8]
    mutating func finish() throws(ArchiveError) -> [UInt8]
}

/// One JSON object per line, without what is missing or false, in gzip.
struct NDJSONRows: RowEncoder {
    let columns: [ArchivedColumn]
    private var lines: [UInt8] = []

    init(_ columns: [ArchivedColumn]) { self.columns = columns }

    mutating func append(_ row: [ArchivedValue?]) throws(ArchiveError) -> [UInt8] {
        let members: [JSONValue.Member] = zip(columns, row).compactMap { column, value in
            if case .flag(false) = value { return nil }
            return value.map { .init(column.name, $0.json) }
        }
        lines += Array(JSONValue.object(members).lineText.utf8) + [UInt8(ascii: "\n")]
        return lines.count < 1 << 20 ? [] : try finish()
    }

    /// Gzip streams may follow one another (RFC 1952, 2.2).
    mutating func finish() throws(ArchiveError) -> [UInt8] {
        defer { lines = [] }
        return try Gzip.packed(lines)
    }
}
