internal import Foundation
public import Instants

/// Reads a table of device tokens line by line: CSV with a header row, or one JSON object per line. It detects the format.
public struct TokenImportReader {
    private enum Format {
        case table(CSVRecords, columns: [ImportFields.Column?])
        case lines(ImportBytes)
    }

    private var format: Format
    private let lines: ImportLineReader
    /// Columns of the header row that are ignored. Empty for JSON, whose unknown fields are ignored.
    public let ignoredColumns: [String]

    /// - Parameters:
    ///   - now: the latest possible time of a registration.
    ///   - read: returns the next bytes of the file; empty at its end.
    /// - Throws: ``TokenImportError``, and what reading throws.
    public init(
        defaults: ImportDefaults = ImportDefaults(), now: Instant, read: @escaping () throws -> [UInt8]
    ) throws {
        lines = ImportLineReader(defaults: defaults, now: now)
        var bytes = try ImportBytes(read)
        switch try bytes.skipWhiteSpace() {
        case nil: throw TokenImportError.empty
        case UInt8(ascii: "["): throw TokenImportError.notLines
        case UInt8(ascii: "{"):
            format = .lines(bytes)
            ignoredColumns = []
        default:
            var records = CSVRecords(bytes, separator: CSVRecords.separator(of: bytes.restOfLine()))
            let names = try records.next()?.fields?.map {
                $0.trimmingCharacters(in: .whitespaces).lowercased()
            }
            let columns = (names ?? []).map { ImportFields.Column(rawValue: $0) }
            guard let names, columns.contains(.value) else { throw TokenImportError.noValueColumn }
            for (position, column) in columns.enumerated() where column != nil {
                guard columns.firstIndex(of: column) == position else {
                    throw TokenImportError.repeatedColumn(names[position])
                }
            }
            format = .table(records, columns: columns)
            ignoredColumns = zip(names, columns).filter { $0.1 == nil }.map(\.0)
        }
    }

    /// The next line, or the reason it is invalid; `nil` at the end.
    mutating func next() throws -> (number: Int, line: Result<ImportLine, ImportRejection>)? {
        switch format {
        case .table(var records, let columns):
            guard let record = try records.next() else { return nil }
            format = .table(records, columns: columns)
            return (record.line, result { () throws(ImportRejection) in try line(record, columns) })
        case .lines(var bytes):
            guard try bytes.skipWhiteSpace() != nil else { return nil }
            let number = bytes.line
            let text = try Self.line(&bytes)
            format = .lines(bytes)
            return (number, result { () throws(ImportRejection) in try line(number, text) })
        }
    }

    private func result(
        _ read: () throws(ImportRejection) -> ImportLine
    ) -> Result<ImportLine, ImportRejection> {
        do {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }

    private func line(
        _ record: CSVRecords.Record, _ columns: [ImportFields.Column?]
    ) throws(ImportRejection) -> ImportLine {
        guard let fields = record.fields else {
            throw ImportRejection(.invalidLine, "a quote is in the wrong place, or the text is not UTF-8")
        }
        guard fields.count == columns.count else {
            throw ImportRejection(
                .invalidLine, "\(fields.count) fields, but the header has \(columns.count) columns")
        }
        return try lines.line(record.line, ImportFields(fields, columns: columns))
    }

    private func line(_ number: Int, _ text: [UInt8]) throws(ImportRejection) -> ImportLine {
        let fields: ImportFields
        do {
            fields = try JSONDecoder().decode(ImportFields.self, from: Data(text))
        } catch {
            throw ImportRejection(.invalidLine, Self.detail(of: error))
        }
        return try lines.line(number, fields)
    }

    private static func detail(of error: any Error) -> String {
        guard case DecodingError.typeMismatch(_, let context)? = error as? DecodingError,
            let field = context.codingPath.first?.stringValue
        else { return "not a JSON object" }
        return "\(field) has the wrong type"
    }

    private static func line(_ bytes: inout ImportBytes) throws -> [UInt8] {
        let number = bytes.line
        var text: [UInt8] = []
        while let byte = try bytes.next(), byte != UInt8(ascii: "\n") {
            text.append(byte)
            guard text.count <= ImportBytes.longestRecord else {
                throw TokenImportError.endlessRecord(line: number)
            }
        }
        return text
    }
}
