internal import SQLFiles

/// The sender's table of tokens, and the names of its columns.
///
/// The statements of `sql/mirror` have the names of a new table in quotation marks. Here they are replaced by
/// the names that the sender chose.
public struct MirrorTable: Sendable {
    /// The columns of a new table.
    public static let columns = [
        "token_id", "app", "value", "provider", "kind", "environment", "topic", "state", "device_id",
        "p256dh",
        "auth", "changed_at",
    ]

    /// As the sender wrote it, such as `device_tokens` or `push.device_tokens`.
    public let name: String
    /// In quotation marks, by the names in the statements.
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - name: a table, or a schema and a table. The case of its letters matters.
    ///   - columns: `value=token` keeps the value in the sender's column `token`.
    /// - Throws: ``MirrorError/mistake(_:)``.
    public init(_ name: String, columns: [String] = []) throws(MirrorError) {
        self.name = name
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy(Self.isName) else {
            throw .mistake("'\(name)' cannot be the name of a table: use letters, digits and '_'")
        }
        let schema = parts.dropLast().map { "\(Self.quoted($0))." }.joined()
        names["device_tokens"] = schema + Self.quoted(parts[parts.count - 1])
        names["landfall_mirror"] = schema + Self.quoted("landfall_mirror")
        for column in columns { try map(column) }
        let chosen = Self.columns.map { names[$0] ?? Self.quoted($0) }
        guard Set(chosen).count == chosen.count else {
            throw .mistake("--column names one column of the table twice")
        }
    }

    private mutating func map(_ column: String) throws(MirrorError) {
        let parts = column.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, Self.columns.contains(parts[0]), Self.isName(parts[1]) else {
            throw .mistake(
                "'\(column)' is not a column: use --column value=token for a value that is kept in the column "
                    + "token. Landfall's names are \(Self.columns.joined(separator: ", "))")
        }
        names[parts[0]] = Self.quoted(parts[1])
    }

    /// The names of the tables as SQL has them.
    var quotedName: String { names["device_tokens", default: ""] }
    var quotedPositions: String { names["landfall_mirror", default: ""] }

    /// The statement for this table.
    func statement(_ file: SQLFile) -> SQLFile {
        SQLFile(
            name: file.name,
            text: file.text.replacing(/"(\w+)"/) { match in names[String(match.1)] ?? String(match.0) })
    }

    private static func isName(_ text: String) -> Bool {
        let isFirst: (UInt8) -> Bool = { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = text.utf8.first, isFirst(first), text.utf8.count <= 63 else { return false }
        return text.utf8.allSatisfy { isFirst($0) || isDigit($0) }
    }

    private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
