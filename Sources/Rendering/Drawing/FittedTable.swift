internal import Reports

/// A small table that drops its less important columns if there is no room, and fills spare room with bars.
struct FittedTable {
    struct Column {
        enum Kind {
            case text
            case number
            /// Cut if there is no room.
            case name
            case bar
        }

        let title: String
        let kind: Kind
        /// The column with the highest rank is dropped first; columns of rank 0 are never dropped.
        let rank: Int

        init(_ title: String, _ kind: Kind = .number, rank: Int = 0) {
            self.title = title
            self.kind = kind
            self.rank = rank
        }
    }

    enum Cell {
        case line(StyledLine)
        case bar(Double, Ink)

        static func text(_ text: String, _ ink: Ink? = nil) -> Cell { .line(StyledLine(text, ink)) }
    }

    let columns: [Column]
    var rows: [[Cell]] = []
    /// Whether the titles are shown.
    var hasHeader = true

    private static let gap = 2
    private static let shortestBar = 6
    private static let longestBar = 40
    private static let shortestName = 10

    func lines(width: Int, _ style: OutputStyle) -> [StyledLine] {
        let positions = shown(width: width)
        let widths = widths(of: positions, width: width)
        let header = positions.map { Cell.line(StyledLine(columns[$0].title, .aside)) }
        let cells = (hasHeader ? [header] : []) + rows.map { row in positions.map { row[$0] } }
        return cells.map { line($0, positions, widths, style).cut(to: width, style) }
    }

    /// The columns that remain after the least important ones were dropped until the rest fits.
    private func shown(width: Int) -> [Int] {
        var positions = Array(columns.indices)
        while positions.reduce(-Self.gap, { $0 + leastWidth(of: $1) + Self.gap }) > width,
            let least = positions.max(by: { columns[$0].rank < columns[$1].rank }), columns[least].rank > 0
        {
            positions.removeAll { $0 == least }
        }
        return positions
    }

    private func leastWidth(of position: Int) -> Int {
        switch columns[position].kind {
        case .bar: max(Self.shortestBar, hasHeader ? displayWidth(columns[position].title) : 0)
        case .name: min(naturalWidth(of: position), Self.shortestName)
        case .text, .number: naturalWidth(of: position)
        }
    }

    private func naturalWidth(of position: Int) -> Int {
        let cells = rows.map { row -> Int in
            guard case .line(let line) = row[position] else { return 0 }
            return line.width
        }
        return max(hasHeader ? displayWidth(columns[position].title) : 0, cells.max() ?? 0)
    }

    /// Names get the width they need before bars get the remaining room.
    private func widths(of positions: [Int], width: Int) -> [Int] {
        var widths = positions.map(leastWidth)
        var room = width - widths.reduce(0, +) - Self.gap * (positions.count - 1)
        for kind in [Column.Kind.name, .bar] {
            for (place, position) in positions.enumerated() where columns[position].kind == kind && room > 0 {
                let wanted = kind == .bar ? Self.longestBar : min(naturalWidth(of: position), width / 3)
                let added = min(room, max(0, wanted - widths[place]))
                widths[place] += added
                room -= added
            }
        }
        return widths
    }

    private func line(_ cells: [Cell], _ positions: [Int], _ widths: [Int], _ style: OutputStyle)
        -> StyledLine
    {
        var line = StyledLine()
        for (place, cell) in cells.enumerated() {
            if place > 0 { line = line + StyledLine(String(repeating: " ", count: Self.gap)) }
            let width = widths[place]
            switch cell {
            case .bar(let fraction, let ink):
                let bar = StyledLine(Bar.text(fraction, width: width, style), ink)
                line = line + bar.padded(to: width)
            case .line(let text):
                let fitted = text.cut(to: width, style)
                let isNumber = columns[positions[place]].kind == .number
                line = line + (isNumber ? fitted.aligned(to: width) : fitted.padded(to: width))
            }
        }
        return line
    }
}
