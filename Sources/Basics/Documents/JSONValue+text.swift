extension JSONValue {
    /// The document for people: two spaces for each level, and on one line what fits into about 160 columns.
    public var indentedText: String {
        var text = ""
        write(to: &text, as: .indented(by: 0, column: 0))
        return text
    }

    /// The document on one line, without spaces between its parts.
    public var lineText: String {
        var text = ""
        write(to: &text, as: .compact)
        return text
    }

    /// One line per member of the rows, unchanged, then the rest of the document in a last line, with
    /// `totals` and everything that the figures mean nothing without. A document without rows is one line.
    ///
    /// - Parameter name: the key of the rows.
    public func lines(of name: String) -> [String] {
        guard case .object(let members) = self,
            case .array(let rows)? = members.first(where: { $0.key == name })?.value
        else { return [lineText] }
        return rows.map(\.lineText) + [JSONValue.object(members.filter { $0.key != name }).lineText]
    }

    private enum Layout {
        case compact
        case spaced
        /// Indented by this much if the value, which begins in this column, does not fit on its line.
        case indented(by: Int, column: Int)
    }

    private static let columns = 160

    private func write(to text: inout String, as layout: Layout) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? value.description : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            write(elements, between: ("[", "]"), to: &text, as: layout) { $0.write(to: &$1, as: $2) }
        case .object(let members):
            write(members, between: ("{", "}"), to: &text, as: layout) { member, text, layout in
                Self.write(member.key, to: &text)
                switch layout {
                case .compact:
                    text += ":"
                    member.value.write(to: &text, as: layout)
                case .spaced:
                    text += ": "
                    member.value.write(to: &text, as: layout)
                case .indented(let depth, let column):
                    text += ": "
                    let start = column + member.key.utf8.count + 4
                    member.value.write(to: &text, as: .indented(by: depth, column: start))
                }
            }
        }
    }

    private func write<Element>(
        _ elements: [Element], between brackets: (open: String, close: String), to text: inout String,
        as layout: Layout, each: (Element, inout String, Layout) -> Void
    ) {
        var (inner, separator, end) = (layout, ",", "")
        switch layout {
        case .compact: break
        case .spaced: separator = ", "
        case .indented(let depth, let column):
            guard !elements.isEmpty, width(atMost: Self.columns - column) == nil else {
                return write(to: &text, as: .spaced)
            }
            inner = .indented(by: depth + 2, column: depth + 2)
            end = "\n" + String(repeating: " ", count: depth)
            separator = ",\(end)  "
        }
        text += brackets.open + (end.isEmpty ? "" : end + "  ")
        for (position, element) in elements.enumerated() {
            if position > 0 { text += separator }
            each(element, &text, inner)
        }
        text += end + brackets.close
    }

    /// The columns of the value on one line and a comma, if each byte takes one; `nil` if more than `most`.
    private func width(atMost most: Int) -> Int? {
        var width = 3
        switch self {
        case .null, .bool: width = 5
        case .integer(let value): width = String(value).utf8.count
        case .number(let value): width = value.description.utf8.count
        case .string(let value): width = value.utf8.count + 2
        case .array(let elements):
            for element in elements {
                guard let added = element.width(atMost: most - width) else { return nil }
                width += added + 2
            }
        case .object(let members):
            for member in members {
                guard let added = member.value.width(atMost: most - width) else { return nil }
                width += member.key.utf8.count + added + 6
            }
        }
        return width <= most ? width : nil
    }

    /// Escapes what RFC 8259 requires, and every other character that could control the terminal it is
    /// printed on or break a line of the log: a campaign's name comes from outside.
    private static func write(_ string: String, to text: inout String) {
        var quoted = ""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        text += "\"\(quoted.controlsEscaped)\""
    }
}
