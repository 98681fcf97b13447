internal import Foundation
public import Instants

/// Reads a table of device tokens line by line: CSV with a header row, or one JSON object per line. It detects the format.
public struct TokenImportReader {
    private enum Format {
        case table(CSVRecords, ImportHeader)
        case lines(ImportBytes)
    }

    private var format: Format
    private let lines: ImportLineReader
    /// The ignored columns of the header row or, in JSON, the ignored fields of the objects read so far.
    private(set) var ignoredColumns: [String]

    private static let mostIgnoredColumns = 50

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
            let first = bytes.restOfLine().filter { $0 != 0x20 && $0 != 0x09 }
            if first.count == 1 { throw TokenImportError.spreadJSON }
            format = .lines(bytes)
            ignoredColumns = []
        default:
            if bytes.restOfLine().starts(with: Array("\"{".utf8)) { throw TokenImportError.quotedJSON }
            let header = try ImportHeader(&bytes)
            format = .table(CSVRecords(bytes, separator: header.separator), header)
            ignoredColumns = header.ignored
        }
    }

    /// The next line, or the reason it is invalid; `nil` at the end.
    mutating func next(
        _ mistakes: inout MistakeCounts
    ) throws -> (number: Int, line: Result<ImportLine, ImportRejection>)? {
        let number: Int
        let fields: Result<ImportFields, ImportRejection>
        switch format {
        case .table(var records, let header):
            guard let record = try records.next() else { return nil }
            format = .table(records, header)
            number = record.line
            fields = Result { () throws(ImportRejection) in try self.fields(of: record, header) }
        case .lines(var bytes):
            guard try bytes.skipWhiteSpace() != nil else { return nil }
            number = bytes.line
            let text = try Self.line(&bytes)
            format = .lines(bytes)
            fields = Result { () throws(ImportRejection) in try self.fields(of: text) }
        }
        if let fields = try? fields.get() { note(fields, number, &mistakes) }
        let line = fields.flatMap { fields in
            Result { () throws(ImportRejection) in try lines.line(number, fields) }
        }
        if case .failure(let rejection) = line, let mistake = rejection.mistake {
            mistakes.count(mistake, line: number)
        }
        return (number, line)
    }

    private mutating func note(_ fields: ImportFields, _ number: Int, _ mistakes: inout MistakeCounts) {
        if fields.hasWordForNothing { mistakes.count(.wordsForNothing, line: number) }
        for name in fields.ignored
        where ignoredColumns.count < Self.mostIgnoredColumns && !ignoredColumns.contains(name) {
            ignoredColumns.append(name)
        }
    }

    private func fields(
        of record: CSVRecords.Record, _ header: ImportHeader
    ) throws(ImportRejection) -> ImportFields {
        guard record.isText else { throw .init(.invalidLine, .notUTF8) }
        guard let fields = record.fields else { throw .init(.invalidLine, "a quote is in the wrong place") }
        guard !header.isRepeated(in: fields) else { throw .init(.invalidLine, .repeatedHeader) }
        guard fields.count == header.columns.count else {
            throw .init(
                .invalidLine, "\(fields.count) fields, but the header has \(header.columns.count) columns",
                .fieldCount)
        }
        return ImportFields(fields, columns: header.columns)
    }

    private func fields(of text: [UInt8]) throws(ImportRejection) -> ImportFields {
        do {
            return try JSONDecoder().decode(ImportFields.self, from: Data(text))
        } catch {
            throw Self.rejection(of: text, error)
        }
    }

    private static func rejection(of text: [UInt8], _ error: any Error) -> ImportRejection {
        if String(validating: text, as: UTF8.self) == nil { return .init(.invalidLine, .notUTF8) }
        if String(decoding: text, as: UTF8.self).filter({ !$0.isWhitespace }).hasSuffix("},") {
            return .init(.invalidLine, .commaAfterObject)
        }
        guard case DecodingError.typeMismatch(_, let context)? = error as? DecodingError,
            let field = context.codingPath.first?.stringValue
        else { return .init(.invalidLine, "not a JSON object") }
        return .init(.invalidLine, "\(field) has the wrong type")
    }

    private static func line(_ bytes: inout ImportBytes) throws -> [UInt8] {
        let number = bytes.line
        var text: [UInt8] = []
        while let byte = try bytes.next(), !byte.isLineBreak {
            text.append(byte)
            guard text.count <= ImportBytes.longestRecord else {
                throw TokenImportError.endlessRecord(line: number)
            }
        }
        return text
    }
}
