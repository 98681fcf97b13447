internal import Reports

/// The words in lines of at most `width` columns; a longer word gets its own line.
package func folded(_ text: String, to width: Int?) -> [String] {
    guard let width else { return [text] }
    var lines: [String] = []
    for word in text.split(separator: " ") {
        if let last = lines.last, displayWidth(last) + 1 + displayWidth(String(word)) <= width {
            lines[lines.count - 1] += " \(word)"
        } else {
            lines.append(String(word))
        }
    }
    return lines
}

/// The words indented and wrapped at the width of the terminal.
package func folded(_ text: String, indentation: Int, _ style: OutputStyle) -> [String] {
    folded(text, to: style.width.map { $0 - indentation })
        .map { String(repeating: " ", count: indentation) + $0 }
}

/// A fact below a heading: its name and its text, wrapped next to it.
package func headingLines(_ name: String, _ fact: String, _ style: OutputStyle) -> [String] {
    let lines = folded(fact, indentation: 11, style)
    return lines.enumerated().map { position, line in
        style.paint(position == 0 ? "  \(padded(name, to: 8)) \(line.dropFirst(11))" : line, .aside)
    }
}
