/// Reads CSV (RFC 4180) record by record. Quoted fields may contain separators, quotes and line breaks; lines end with CR LF, LF
/// or CR; blank lines are skipped.
///
/// This is a reader of its own, because a table has millions of rows and some of them are broken: it holds one record at a time,
/// knows the line in which each begins, and continues after a broken one.
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
