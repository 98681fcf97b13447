internal import Basics
internal import Reports

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

/// The number of terminal columns that a text occupies: two for CJK and emoji, none for
/// characters that combine with their neighbor.
package func displayWidth(_ text: String) -> Int {
    text.reduce(0) { $0 + displayWidth($1) }
}

private func displayWidth(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 { return displayWidth(first) }
    // A keycap, a flag, or faces joined to a family are one picture, however many scalars they consist of.
    let looksLikeEmoji =
        first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") || scalars.contains("\u{20E3}")
    if looksLikeEmoji { return 2 }
    // Devanagari vowels are next to their consonant and occupy a column; accents, above it, occupy none.
    return scalars.reduce(0) { $0 + displayWidth($1) }
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Medial and final parts of a Hangul syllable that is written in parts.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    let isWide =
        scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
}

/// Blocks whose characters are Wide or Fullwidth in Unicode's EastAsianWidth.txt.
private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul Jamo, leading consonants
    0x2E80...0x303E,  // CJK radicals, punctuation
    0x3041...0x33FF,  // Kana, Bopomofo, Hangul compatibility, CJK compatibility
    0x3400...0x4DBF, 0x4E00...0x9FFF,  // CJK ideographs
    0xA000...0xA4CF,  // Yi
    0xA960...0xA97F,  // Hangul Jamo extended A
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // CJK compatibility ideographs
    0xFE30...0xFE6F,  // CJK compatibility forms, small forms
    0xFF00...0xFF60, 0xFFE0...0xFFE6,  // Fullwidth forms
    0x1F1E6...0x1F1FF,  // flags
    0x1F300...0x1F64F, 0x1F900...0x1F9FF,  // pictographs
    0x20000...0x3FFFD,  // CJK ideographs beyond the basic plane
]

/// The text with escapes for characters that could control a terminal or change the direction of a line:
/// names come from senders. `Stdout` escapes everything else, but widths must be measured after escaping.
package func printable(_ text: String) -> String { text.controlsEscaped }
