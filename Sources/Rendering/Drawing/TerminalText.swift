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
