internal import Reports

/// Lines below a heading, as a part of a screen.
package struct Panel {
    let title: String
    /// Shown at the right end of the heading.
    package var note = ""
    /// The number of lines below which the panel is of no use and is left out.
    let leastLines: Int
    /// The lines for a width, the most important ones first.
    package let lines: (_ width: Int) -> [StyledLine]

    package init(_ title: String, note: String = "", leastLines: Int, lines: @escaping (Int) -> [StyledLine])
    {
        self.title = title
        self.note = note
        self.leastLines = leastLines
        self.lines = lines
    }

    /// The title, and a rule up to the note.
    func heading(width: Int, _ style: OutputStyle) -> StyledLine {
        let title = StyledLine(title + " ", .title)
        let note = StyledLine(note.isEmpty ? "" : " " + note, .aside)
        let room = width - title.width - note.width
        guard room >= 3 else { return title.cut(to: width, style) }
        return title + StyledLine(String(repeating: style.rule, count: room), .aside) + note
    }

    /// Stacks panels in `height` rows, the most important ones first. If not all fit, lines and then whole
    /// panels are left out, the least important first. Blank lines separate panels only if everything fits.
    package static func stacked(_ panels: [Panel], width: Int, height: Int, _ style: OutputStyle)
        -> [StyledLine]
    {
        var room = height
        let drawn = panels.compactMap { panel -> (heading: StyledLine, lines: [StyledLine], least: Int)? in
            let lines = panel.lines(width)
            let least = min(panel.leastLines, lines.count)
            guard room >= 1 + least else { return nil }
            room -= 1 + least
            return (panel.heading(width: width, style), lines, least)
        }
        let counts = drawn.map { part -> Int in
            let added = min(room, part.lines.count - part.least)
            room -= added
            return part.least + added
        }
        let hasGaps = room >= drawn.count - 1
        var stacked: [StyledLine] = []
        for (part, count) in zip(drawn, counts) {
            if hasGaps, !stacked.isEmpty { stacked.append(StyledLine()) }
            stacked.append(part.heading)
            stacked += part.lines.prefix(count)
        }
        return stacked
    }
}
