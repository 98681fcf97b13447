internal import Foundation

/// Reads CSV (RFC 4180) record by record. Quoted fields may contain separators, quotes and line breaks; lines
/// end with CR LF, LF or CR; blank lines are skipped.
///
/// This is a reader of its own, because a table has millions of rows and some of them are broken: it holds
/// one record at a time, knows the line in which each begins, and continues after a broken one.
struct CSVRecords {
    struct Record: Equatable {
        /// The line in which it begins, counted from 1.
        let line: Int
        /// `nil` for a record with a misplaced quote, or that is not UTF-8.
        let fields: [String]?
        /// False if it is not UTF-8.
        var isText = true
    }

    /// The bytes after the last record.
    private(set) var bytes: ImportBytes
    private let separator: UInt8

    init(_ bytes: ImportBytes, separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    /// The separator that a header row most likely uses: comma, semicolon, tab or vertical bar.
    static func separator(of header: some Collection<UInt8>) -> UInt8 {
        let candidates = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
        let counts = candidates.map { candidate in header.count { $0 == candidate } }
        return zip(candidates, counts).max { $0.1 < $1.1 }?.0 ?? candidates[0]
    }

    /// Returns `nil` at the end.
    ///
    /// - Throws: `TokenImportError.endlessRecord`, and what reading throws.
    mutating func next() throws -> Record? {
        while let byte = try bytes.peek(), byte.isLineBreak { _ = try bytes.next() }
        guard try bytes.peek() != nil else { return nil }
        var record = RecordBuilder(line: bytes.line)
        while try take(into: &record) {
            guard record.size <= ImportBytes.longestRecord else {
                throw TokenImportError.endlessRecord(line: record.line)
            }
        }
        return record.record
    }

    /// Reads one byte, and the next one if the two belong together. Returns false if the record is complete.
    private mutating func take(into record: inout RecordBuilder) throws -> Bool {
        guard let byte = try bytes.next() else {
            record.end()
            return false
        }
        if record.isQuoted {
            if byte != .quote {
                record.append(byte)
            } else if try bytes.peek() == .quote {
                _ = try bytes.next()
                record.append(byte)
            } else {
                record.isQuoted = false
            }
            return true
        }
        switch byte {
        case separator: record.endField()
        case .quote: record.openQuote()
        case _ where byte.isLineBreak:
            if byte == .carriageReturn, try bytes.peek() == .lineFeed { _ = try bytes.next() }
            record.end()
            return false
        default: record.append(byte)
        }
        return true
    }
}

private struct RecordBuilder {
    let line: Int
    var size = 0
    var isQuoted = false
    var wasQuoted = false
    var isBroken = false
    var isText = true
    var field: [UInt8] = []
    var fields: [String] = []

    var record: CSVRecords.Record { .init(line: line, fields: isBroken ? nil : fields, isText: isText) }

    mutating func append(_ byte: UInt8) {
        if wasQuoted && !isQuoted { isBroken = true }
        size += 1
        field.append(byte)
    }

    mutating func openQuote() {
        size += 1
        // A misplaced quote opens nothing: it would swallow the following lines.
        if wasQuoted || !field.isEmpty { isBroken = true } else { isQuoted = true }
        wasQuoted = true
    }

    mutating func endField() {
        size += 1
        if let text = String(validating: field, as: UTF8.self) {
            fields.append(text)
        } else {
            isBroken = true
            isText = false
        }
        field.removeAll(keepingCapacity: true)
        wasQuoted = false
    }

    mutating func end() {
        if isQuoted { isBroken = true }
        endField()
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
}

/// The header row of a CSV table: its separator and the meaning of each column.
struct ImportHeader {
    let separator: UInt8
    /// The names in lower case, without white space at the ends.
    let names: [String]
    let columns: [ImportFields.Column?]

    /// Columns that are not read.
    var ignored: [String] { zip(names, columns).filter { $0.1 == nil }.map(\.0) }

    /// Reads the header, and leaves the bytes after it.
    ///
    /// - Throws: ``TokenImportError`` if no column is named `value`, and what reading throws.
    init(_ bytes: inout ImportBytes) throws {
        let declared = try Self.declaredSeparator(&bytes)
        let line = Array(bytes.restOfLine())
        separator = declared ?? CSVRecords.separator(of: line)
        var records = CSVRecords(bytes, separator: separator)
        names = (try records.next()?.fields ?? []).map(Self.name)
        bytes = records.bytes
        columns = names.map { ImportFields.Column(rawValue: $0) }
        guard columns.contains(.value) else { throw Self.problem(with: names) }
        for (position, column) in columns.enumerated() where column != nil {
            guard columns.firstIndex(of: column) == position else {
                throw TokenImportError.repeatedColumn(names[position])
            }
        }
    }

    /// Whether the row repeats the header, as in a file made of several.
    func isRepeated(in fields: [String]) -> Bool {
        fields.count == names.count && fields.map(Self.name) == names
    }

    private static func name(_ field: String) -> String {
        field.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\u{FEFF}"))).lowercased()
    }

    /// Spreadsheets write a first line `sep=;`.
    private static func declaredSeparator(_ bytes: inout ImportBytes) throws -> UInt8? {
        let line = bytes.restOfLine()
        guard line.count == 5, let separator = line.last,
            String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        try bytes.skipLine()
        return separator
    }

    private static let namesOfValues = [
        "token", "device_token", "devicetoken", "push_token", "pushtoken", "registration_id",
        "registrationid", "registration_token", "fcm_token", "fcmtoken", "apns_token", "apnstoken",
        "gcm_token", "identifier", "endpoint", "subscription", "address", "push_id",
    ]

    private static func problem(with names: [String]) -> TokenImportError {
        if let name = names.first(where: namesOfValues.contains) { return .otherNameOfValue(name) }
        if names.count == 1, let name = names.first, name.contains(where: { ",;\t|".contains($0) }),
            name.contains("value")
        {
            return .quotedLines
        }
        // The name of a column is short and a word; a token is long.
        if names.contains(where: {
            $0.utf8.count >= 20 && !$0.contains(" ") && $0.contains(where: \.isNumber)
        }) {
            return .noHeader
        }
        return .noValueColumn
    }
}
