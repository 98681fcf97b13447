/// The words in lines of at most so many columns; a word that is longer gets a line of its own.
func folded(_ text: String, to width: Int?) -> [String] {
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

/// The words behind `indentation` columns, folded at the end of the terminal's lines.
func folded(_ text: String, indentation: Int, _ style: OutputStyle) -> [String] {
    folded(text, to: style.width.map { $0 - indentation })
        .map { String(repeating: " ", count: indentation) + $0 }
}

/// A fact below a heading: its name, and what there is to say, folded beside it.
func headingLines(_ name: String, _ fact: String, _ style: OutputStyle) -> [String] {
    let lines = folded(fact, indentation: 11, style)
    return lines.enumerated().map { position, line in
        style.paint(position == 0 ? "  \(padded(name, to: 8)) \(line.dropFirst(11))" : line, .aside)
    }
}
