internal import Reports
internal import Wording

/// Lines as they are written to a terminal.
package enum TerminalText {
    /// Control characters other than the colors of ``Ink`` are escaped, whatever the lines quote.
    package static func text(of lines: [String]) -> String { lines.map { harmless($0) + "\n" }.joined() }

    /// A line with its control characters escaped, except the colors of ``Ink``.
    package static func harmless(_ line: String) -> String {
        guard line.utf8.contains(0x1B) else { return line.controlsEscaped }
        var rest = line[...]
        var harmless = ""
        while let escape = rest.unicodeScalars.firstIndex(of: "\u{1B}") {
            harmless += String(rest[..<escape]).controlsEscaped
            rest = rest[escape...]
            let color = Ink.codes.first { rest.utf8.starts(with: $0.utf8) }
            harmless += color ?? "\u{1B}".controlsEscaped
            rest = rest[rest.utf8.index(escape, offsetBy: color?.utf8.count ?? 1)...]
        }
        return harmless + String(rest).controlsEscaped
    }
}

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
