/// The reason a file cannot be imported at all.
public struct TokenImportError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    private static let example = "value,topic,registered_at,device_id"

    static let empty = Self(
        "the file is empty: it needs a header row and one row per token, or one JSON object per line")
    static let notLines = Self(
        "the file is a JSON array: it must have one JSON object per line (jq -c '.[]' converts it)")
    static let spreadJSON = Self(
        "the file has JSON objects of several lines: it must have one JSON object per line (jq -c . converts it)"
    )
    static let quotedJSON = Self(
        "each line is a string that contains JSON: it must be the JSON object itself (jq -r . converts it)")
    /// It does not quote the first line, which may contain a token.
    static let noValueColumn = Self(
        "the first line must name the columns, and one of them must be value: \(example)")
    static let noHeader = Self(
        "the first line is a row already: insert a line before it that names the columns, such as \(example)")
    static let quotedLines = Self(
        "each line is quoted as a whole, so the table has a single column: remove the outer quotes, or export it again"
    )

    static func foreign(_ format: ForeignFormat) -> Self { Self(format.rawValue) }

    static func otherNameOfValue(_ name: String) -> Self {
        Self("no column is named value: if \(name) has the tokens, rename it to value in the first line")
    }

    static func repeatedColumn(_ name: String) -> Self { Self("the column \(name) appears twice") }

    static func endlessRecord(line: Int) -> Self {
        Self(
            "the record that begins in line \(line) is longer than \(ImportBytes.longestRecord / 1_024) KiB: most likely a "
                + "quote in it is never closed")
    }
}

/// The format of a file that is not text in UTF-8, recognized by its first bytes. The raw value says how to
/// convert the file into a readable one.
enum ForeignFormat: String, Sendable {
    case utf16 = "the file is in UTF-16: save it as UTF-8, or convert it with iconv -f UTF-16 -t UTF-8"
    case utf32 = "the file is in UTF-32: save it as UTF-8, or convert it with iconv -f UTF-32 -t UTF-8"
    case workbook =
        "the file is a ZIP archive, which may be a workbook (xlsx): save the sheet as CSV in UTF-8, or unpack the archive"
    case oldWorkbook = "the file is a workbook (xls): save the sheet as CSV in UTF-8"
    case gzip = "the file is compressed by gzip: give it a name that ends in .gz, or unpack it (gzip -dc)"
    case bzip2 = "the file is compressed by bzip2: unpack it (bzip2 -dc)"
    case zstandard = "the file is compressed by Zstandard: unpack it (zstd -dc)"
    case parquet = "the file is in Parquet's format: export it as CSV or as JSON lines"
    case sqlite = "the file is an SQLite database: export the table as CSV (sqlite3 -csv -header)"
    case pdf = "the file is a PDF document: export the table as CSV"
    case markup =
        "the file is an HTML or XML page, perhaps a sign-in page: export the table as CSV or as JSON lines"
    /// A file with NUL bytes, which text does not contain.
    case binary = "the file contains NUL bytes, so it is not text: export the table as CSV or as JSON lines"

    private static let signatures: [(ForeignFormat, [UInt8])] = [
        (.utf32, [0xFF, 0xFE, 0, 0]), (.utf32, [0, 0, 0xFE, 0xFF]), (.utf16, [0xFF, 0xFE]),
        (.utf16, [0xFE, 0xFF]), (.workbook, [0x50, 0x4B, 0x03, 0x04]),
        (.oldWorkbook, [0xD0, 0xCF, 0x11, 0xE0]), (.gzip, [0x1F, 0x8B]), (.bzip2, Array("BZh".utf8)),
        (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]), (.parquet, Array("PAR1".utf8)),
        (.sqlite, Array("SQLite format 3".utf8)), (.pdf, Array("%PDF-".utf8)), (.markup, Array("<!".utf8)),
        (.markup, Array("<?xml".utf8)), (.markup, Array("<html".utf8)), (.markup, Array("<HTML".utf8)),
    ]

    /// - Parameter beginning: the file's first bytes; several hundred, unless it is shorter.
    init?(of beginning: some Collection<UInt8>) {
        if let known = Self.signatures.first(where: { beginning.starts(with: $0.1) }) {
            self = known.0
            return
        }
        let zeros = beginning.count { $0 == 0 }
        guard zeros > 0 else { return nil }
        // Without a byte order mark, text of mostly ASCII still has a NUL in about every second byte.
        self = zeros * 5 > beginning.count * 2 && zeros * 5 < beginning.count * 3 ? .utf16 : .binary
    }
}
