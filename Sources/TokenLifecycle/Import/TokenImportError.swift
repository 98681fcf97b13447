/// The reason a file cannot be imported at all.
public enum TokenImportError: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case notLines
    /// The first line must be a header; it is not quoted, because it may contain a token.
    case noValueColumn
    case repeatedColumn(String)
    /// Usually because of a quote that is never closed.
    case endlessRecord(line: Int)
    /// Another session is importing into the same app.
    case someoneElseImports

    public var description: String {
        switch self {
        case .empty:
            "the file is empty: it needs a header row and one row per token, or one JSON object per line"
        case .notLines:
            "the file is a JSON array: it must have one JSON object per line (jq -c '.[]' converts it)"
        case .noValueColumn:
            "the first line must name the columns, and one of them must be value: value,topic,registered_at,device_id"
        case .repeatedColumn(let name): "the column \(name) appears twice"
        case .endlessRecord(let line):
            "the record that begins in line \(line) is longer than \(ImportBytes.longestRecord / 1_024) KiB: most likely a "
                + "quote in it is never closed"
        case .someoneElseImports: "another import into this app is running"
        }
    }
}
