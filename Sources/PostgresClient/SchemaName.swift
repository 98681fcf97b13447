/// The name of the schema in which a cell's tables live: `landfall` unless a cell is given another.
///
/// A name contains only lowercase letters, digits and `_`, so SQL may contain it without quotes, and
/// `pg_dump --schema` takes it for no pattern.
package struct SchemaName: Hashable, Sendable, CustomStringConvertible {
    package static let landfall = SchemaName(text: "landfall")

    package let text: String

    private init(text: String) {
        self.text = text
    }

    /// - Returns: nil unless `text` is a lowercase letter followed by at most 40 lowercase letters, digits and
    ///   `_`, and no name that PostgreSQL or Landfall uses otherwise.
    package init?(_ text: String) {
        let isLetter: (UInt8) -> Bool = { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 41,
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }),
            !text.hasPrefix("pg_"), text != "public", text != "information_schema",
            text != "report_v1", !text.hasSuffix("_report_v1")
        else { return nil }
        self.text = text
    }

    /// The schema of the views for other programs, which belongs to this one.
    package var reports: String { self == .landfall ? "report_v1" : "\(text)_report_v1" }

    package var description: String { text }
}
