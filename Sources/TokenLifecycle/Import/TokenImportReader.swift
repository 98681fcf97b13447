public import DeliveryModel
internal import Foundation

/// Reads a table of device tokens and detects its format: CSV with a header row, or one JSON object per line.
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
        switch line {
        case .failure(let rejection):
            if let mistake = rejection.mistake { mistakes.count(mistake, line: number) }
        case .success(let line):
            if line.keys == nil, (try? fields.get())?.hasKeys == true {
                mistakes.count(.pushKeys, line: number)
            }
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

/// A whole file as read: its valid lines in the order in which they count, which does not depend on their
/// order in the file, and its mistakes.
///
/// It holds all lines, about half a kilobyte each: an old registration may be the last line.
struct ImportTable {
    /// The earliest registration first.
    private(set) var lines: [ImportLine] = []
    private(set) var invalid: [ImportedLine] = []
    private(set) var mistakes: [FoundMistake] = []
    let ignoredColumns: [String]
    private(set) var wasStopped = false

    static let linesBetweenChecks = 1_000

    /// - Parameters:
    ///   - isStopped: called from time to time; true ends the reading.
    ///   - progress: receives the number of lines read, from time to time.
    init(_ reader: TokenImportReader, isStopped: () -> Bool, progress: (Int64) throws -> Void) throws {
        var reader = reader
        var counts = MistakeCounts()
        while let (number, line) = try reader.next(&counts) {
            switch line {
            case .success(let line): lines.append(line)
            case .failure(let rejection):
                invalid.append(ImportedLine(number: number, verdict: .invalid, rejection: rejection))
            }
            let count = lines.count + invalid.count
            guard count.isMultiple(of: Self.linesBetweenChecks) else { continue }
            try progress(Int64(count))
            wasStopped = isStopped()
            if wasStopped { break }
        }
        ignoredColumns = reader.ignoredColumns
        for column in ignoredColumns where ImportMistake.marksDisuse(column) {
            counts.add(FoundMistake(mistake: .unreadColumn, lines: 0, detail: column))
            break
        }
        if let cut = Self.cutValues(lines) { counts.add(cut) }
        if let shared = Self.sharedValues(lines) { counts.add(shared) }
        mistakes = counts.all
        lines.sort()
    }

    /// The minimum number of devices that make a value suspect.
    private static let suspectDevices = 10

    private static func sharedValues(_ lines: [ImportLine]) -> FoundMistake? {
        var uses: [String: Int] = [:]
        for line in lines where line.deviceID != nil { uses[line.address.value, default: 0] += 1 }
        let suspects = uses.filter { $0.value >= suspectDevices }
        var devices: [String: Set<UUID>] = [:]
        for line in lines where suspects[line.address.value] != nil {
            if let deviceID = line.deviceID { devices[line.address.value, default: []].insert(deviceID) }
        }
        let shared = devices.filter { $0.value.count >= suspectDevices }
        guard let most = shared.values.map(\.count).max() else { return nil }
        let affected = lines.filter { shared[$0.address.value] != nil }
        return FoundMistake(
            mistake: .sharedValues, lines: Int64(affected.count), firstLine: affected.map(\.number).min(),
            detail: "one of them to \(most)")
    }

    /// The minimum number of values of the same length that make them suspect.
    private static let suspectValues = 3

    /// Finds values that a column of the table they come from has cut off: the longest ones all have the
    /// column's width. Checks each issuer by itself, because tokens of different issuers differ in length.
    private static func cutValues(_ lines: [ImportLine]) -> FoundMistake? {
        let byIssuer = Dictionary(grouping: lines, by: \.address.provider).sorted { $0.key < $1.key }
        return byIssuer.compactMap { issuer, values -> FoundMistake? in
            let width = values.map(\.address.value.unicodeScalars.count).max() ?? 0
            guard isTypicalWidth(width, issuer) else { return nil }
            let cut = values.filter { $0.address.value.unicodeScalars.count == width }
            guard cut.count >= suspectValues else { return nil }
            let equal = cut.count - Set(cut.map(\.address.value)).count
            let repeated = equal > 0 ? " (\(equal) repeat another)" : ""
            return FoundMistake(
                mistake: .cutValues, lines: Int64(cut.count), firstLine: cut.map(\.number).min(),
                detail: "\(width) characters\(repeated)")
        }.last
    }

    /// Usual column widths. APNs tokens have 64 hex digits (or 160, 200), FCM's mostly 140 to 165 characters.
    private static func isTypicalWidth(_ width: Int, _ issuer: String) -> Bool {
        guard width >= 32 else { return false }
        if issuer == "apns" && [64, 128, 160, 200].contains(width) { return false }
        if issuer == "fcm" && (140...165).contains(width) && width != 150 { return false }
        let powers = [32, 64, 128, 256, 512, 1_024, 2_048]
        return width.isMultiple(of: 50) || [191, 767].contains(width)
            || powers.contains { [0, 1].contains($0 - width) }
    }
}
