/// The name of the schema in which a cell's tables live: `landfall` unless a cell is given another.
///
/// A name contains only lowercase letters, digits and `_`, so SQL may contain it without quotes, and
/// `pg_dump --schema` does not read it as a pattern.
public struct SchemaName: Hashable, Sendable, CustomStringConvertible {
    public static let landfall = SchemaName(text: "landfall")

    public let text: String

    private init(text: String) {
        self.text = text
    }

    /// - Returns: `nil` unless `text` is `landfall`, or a lowercase letter followed by at most 40 lowercase
    ///   letters, digits and `_`, with at least one digit or `_`, and not a name that PostgreSQL or Landfall
    ///   uses otherwise. Most reserved words consist of letters.
    public init?(_ text: String) {
        let isLetter: (UInt8) -> Bool = { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 41,
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }),
            text == "landfall" || !text.utf8.allSatisfy(isLetter), !text.hasPrefix("pg_"),
            !text.hasPrefix("current_"), text != "session_user", text != "system_user",
            text != "information_schema", text != "report_v1", !text.hasSuffix("_report_v1")
        else { return nil }
        self.text = text
    }

    /// The schema of the views for other programs, which belongs to this one.
    public var reports: String { self == .landfall ? "report_v1" : "\(text)_report_v1" }

    public var description: String { text }

    /// SQL with this schema instead of `landfall`.
    ///
    /// The word `landfall` names the schema if a dot or a quotation mark follows it, except in the name of
    /// the setting `landfall.report_role`. The word `report_v1` always names the schema of the views.
    func inserted(into sql: String) -> String {
        guard self != .landfall else { return sql }
        var sql = sql
        return sql.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count * 5 / 4)
            var start = 0
            for end in 0...bytes.count where end == bytes.count || !Self.isInWord(bytes[end]) {
                let word = bytes[start..<end]
                if word.count == 8, word.elementsEqual("landfall".utf8), Self.isAfterSchema(bytes[end...]) {
                    result += text.utf8
                } else if word.count == 9, word.elementsEqual("report_v1".utf8) {
                    result += reports.utf8
                } else {
                    result += word
                }
                if end < bytes.count { result.append(bytes[end]) }
                start = end + 1
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static func isAfterSchema(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let next = rest.first else { return false }
        return ".'\"".utf8.contains(next) && !rest.starts(with: ".report_role".utf8)
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
