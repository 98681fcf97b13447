internal import Basics

/// One field of a CSV line.
package enum CSVField: Equatable {
    case text(String)
    case integer(Int64)
    /// Plain digits with a decimal point; empty if `nil`.
    case number(Double?)

    package var encoded: String {
        switch self {
        case .text(let text): Self.quoted(Self.disarmed(text.controlsEscaped))
        case .integer(let number): String(number)
        case .number(let number): number.map(\.description) ?? ""
        }
    }

    /// Spreadsheets run a cell that begins like a formula, in some languages also with fullwidth characters.
    /// A leading quote makes it text (OWASP, CSV injection).
    private static func disarmed(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }

    /// RFC 4180, section 2. Line breaks have already been escaped, so every line of the file is a row.
    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { "\",".unicodeScalars.contains($0) }) else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

/// RFC 4180: a line of names, then lines with the same number of fields, each ended by CR LF.
package struct CSVText {
    package private(set) var text = ""

    package init(header: [String]) {
        append(header.map { .text($0) })
    }

    /// Joins texts with the same columns, and adds a first column: the number of the text of each line.
    package init(_ column: String, of parts: [(Int64, CSVText)]) {
        for (number, part) in parts {
            let lines = part.text.split(separator: "\r\n" as Character)
            if text.isEmpty { text = lines.prefix(1).map { "\(column),\($0)\r\n" }.joined() }
            text += lines.dropFirst().map { "\(number),\($0)\r\n" }.joined()
        }
    }

    package mutating func append(_ fields: [CSVField]) {
        text += fields.map(\.encoded).joined(separator: ",") + "\r\n"
    }
}
