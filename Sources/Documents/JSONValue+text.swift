extension JSONValue {
    /// The document on several lines, with two spaces for each level.
    public var indentedText: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text
    }

    /// The document on one line, without spaces between its parts.
    public var lineText: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// One line per member of `rows`, unchanged, then the rest of the document in a last line, with
    /// `totals` and everything that the figures mean nothing without. A document without rows is one line.
    public var linesText: [String] { lines(of: "rows") }

    /// The same for a document whose rows have another name.
    public func lines(of name: String) -> [String] {
        guard case .object(let members) = self,
            case .array(let rows)? = members.first(where: { $0.key == name })?.value
        else { return [lineText] }
        return rows.map(\.lineText) + [JSONValue.object(members.filter { $0.key != name }).lineText]
    }

    /// - Parameter indentation: `nil` for one line.
    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? value.description : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), to: &text, indentation: indentation) {
                element, text, inner in element.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &text, indentation: indentation) {
                member, text, inner in
                Self.write(member.key, to: &text)
                text += inner == nil ? ":" : ": "
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between brackets: (open: String, close: String), to text: inout String,
        indentation: Int?, each: (Element, inout String, Int?) -> Void
    ) {
        let inner = indentation.map { $0 + 2 }
        text += brackets.open
        for (position, element) in elements.enumerated() {
            if position > 0 { text += "," }
            breakLine(&text, indentation: inner)
            each(element, &text, inner)
        }
        if !elements.isEmpty { breakLine(&text, indentation: indentation) }
        text += brackets.close
    }

    private static func breakLine(_ text: inout String, indentation: Int?) {
        guard let indentation else { return }
        text += "\n" + String(repeating: " ", count: indentation)
    }

    /// Escapes what RFC 8259 requires, and the other control characters too: a campaign's name
    /// comes from outside, and must not control the terminal it is printed on.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
