/// The reason a file cannot be imported at all.
public enum TokenImportError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    /// The file is not text in UTF-8.
    case foreign(ForeignFormat)
    case notLines
    /// JSON documents that have line breaks.
    case spreadJSON
    /// Each line is a JSON string that contains a JSON document.
    case quotedJSON
    /// The first line must be a header; it is not quoted, because it may contain a token.
    case noValueColumn
    /// The first line is a row.
    case noHeader
    /// The column with the tokens has another name.
    case otherNameOfValue(String)
    /// Each line is quoted as a whole.
    case quotedLines
    case repeatedColumn(String)
    /// Usually because of a quote that is never closed.
    case endlessRecord(line: Int)

    private static let example = "value,topic,registered_at,device_id"

    public var description: String {
        switch self {
        case .empty:
            "the file is empty: it needs a header row and one row per token, or one JSON object per line"
        case .foreign(let format): format.rawValue
        case .notLines:
            "the file is a JSON array: it must have one JSON object per line (jq -c '.[]' converts it)"
        case .spreadJSON:
            "the file has JSON objects of several lines: it must have one JSON object per line (jq -c . converts it)"
        case .quotedJSON:
            "each line is a string that contains JSON: it must be the JSON object itself (jq -r . converts it)"
        case .noValueColumn:
            "the first line must name the columns, and one of them must be value: \(Self.example)"
        case .noHeader:
            "the first line is a row already: insert a line before it that names the columns, such as \(Self.example)"
        case .otherNameOfValue(let name):
            "no column is named value: if \(name) has the tokens, rename it to value in the first line"
        case .quotedLines:
            "each line is quoted as a whole, so the table has a single column: remove the outer quotes, or export it again"
        case .repeatedColumn(let name): "the column \(name) appears twice"
        case .endlessRecord(let line):
            "the record that begins in line \(line) is longer than \(ImportBytes.longestRecord / 1_024) KiB: most likely a "
                + "quote in it is never closed"
        }
    }
}
