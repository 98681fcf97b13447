package import Reports

/// A line of colored pieces, which is measured and cut before color codes are added.
package struct StyledLine: Equatable {
    struct Piece: Equatable {
        let text: String
        let ink: Ink?
    }

    private(set) var pieces: [Piece]

    /// Names in the text are escaped, so that they cannot control the terminal.
    package init(_ text: String = "", _ ink: Ink? = nil) {
        let text = printable(text)
        pieces = text.isEmpty ? [] : [Piece(text: text, ink: ink)]
    }

    package static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var line = left
        line.pieces += right.pieces
        return line
    }

    /// In columns.
    package var width: Int { pieces.reduce(0) { $0 + displayWidth($1.text) } }

    /// The text to write, without trailing spaces unless they are colored.
    package func text(_ style: OutputStyle) -> String {
        var text = pieces.map { style.paint($0.text, $0.ink) }.joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The line padded with spaces at its end.
    package func padded(to width: Int) -> StyledLine {
        self + StyledLine(String(repeating: " ", count: max(0, width - self.width)))
    }

    /// The line padded with spaces at its beginning.
    func aligned(to width: Int) -> StyledLine {
        StyledLine(String(repeating: " ", count: max(0, width - self.width))) + self
    }

    /// The line cut to at most `limit` columns, with an ellipsis if something was left out.
    package func cut(to limit: Int, _ style: OutputStyle) -> StyledLine {
        guard width > limit else { return self }
        let mark = displayWidth(style.ellipsis) <= limit ? style.ellipsis : ""
        var room = limit - displayWidth(mark)
        var line = StyledLine()
        for piece in pieces {
            let kept = beginning(of: piece.text, columns: room)
            if !kept.isEmpty { line.pieces.append(Piece(text: kept, ink: piece.ink)) }
            room -= displayWidth(kept)
            if kept.count < piece.text.count { break }
        }
        return mark.isEmpty ? line : line + StyledLine(mark, pieces.last?.ink)
    }
}

/// The beginning of a text that fits into `columns` columns.
func beginning(of text: String, columns: Int) -> String {
    var room = columns
    return String(
        text.prefix { character in
            room -= displayWidth(String(character))
            return room >= 0
        })
}
