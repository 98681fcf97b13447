internal import DeliveryModel
package import Reports

/// A table with aligned columns. If it is wider than the terminal, groups of columns move into further tables
/// below, each starting with the key columns, and names in the key are cut. Without a terminal, only long
/// names are cut. Lines wrap only if the key is still too wide.
package struct TextTable {
    package struct Column {
        let title: String
        /// The metric or figure of the column; `nil` if it is none.
        let id: String?
        let isNumber: Bool
        /// Columns of one group stay together; group 0 is the key and comes before every other group.
        let group: Int
        /// Names may be long, and are cut if there is no room.
        let isName: Bool
        private(set) var isBar = false
        /// Whether its bars are rates, which a page draws in the cells of the rates.
        private(set) var isRateBar = false

        package init(
            _ title: String, id: String? = nil, isNumber: Bool = true, group: Int, isName: Bool = false
        ) {
            (self.title, self.id, self.group) = (title, id, group)
            (self.isNumber, self.isName) = (isNumber, isName)
        }

        /// A column of bars.
        ///
        /// - Parameter title: the meaning of a full bar.
        package init(bar title: String, group: Int, isRate: Bool = false) {
            self.init(title, isNumber: false, group: group)
            (isBar, isRateBar) = (true, isRate)
        }
    }

    package struct Cell: ExpressibleByStringLiteral {
        let text: String
        let ink: Ink?
        /// The length of a bar, as a fraction of a full one.
        private(set) var fraction: Double?
        /// The part of the row's key that the cell names, which a page can link to.
        var part: RowKey.Part?
        /// The rate that the text states.
        var proportion: Proportion?
        /// Whether that rate has a caveat.
        var isDoubtful = false

        package init(_ text: String, _ ink: Ink? = nil) {
            self.text = printable(text)
            self.ink = ink
        }

        /// A bar: block characters as text, a drawing on an HTML page.
        package static func bar(_ fraction: Double, _ ink: Ink, width: Int = 12, _ style: OutputStyle) -> Cell
        {
            var cell = Cell(Bar.text(fraction, width: style.isNarrow ? min(width, 8) : width, style), ink)
            cell.fraction = min(max(fraction, 0), 1)
            return cell
        }

        /// The bar for a part of a whole; empty if the whole is 0.
        package static func bar(
            _ part: Int64, of whole: Int64, _ ink: Ink, width: Int = 12, _ style: OutputStyle
        ) -> Cell {
            bar(whole > 0 ? Double(part) / Double(whole) : 0, ink, width: width, style)
        }

        package init(stringLiteral text: String) {
            self.init(text)
        }

        fileprivate func cut(to width: Int, _ style: OutputStyle) -> Cell {
            guard displayWidth(text) > width else { return self }
            var text = text
            while displayWidth(text) + displayWidth(style.ellipsis) > width { text.removeLast() }
            return Cell(text + style.ellipsis, ink)
        }
    }

    let columns: [Column]
    package var rows: [[Cell]] = []
    /// Separated from the rows by a rule.
    package var totals: [Cell]?

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    private static let (gap, shortestName, longestName) = (2, 8, 60)

    package func lines(_ style: OutputStyle) -> [String] {
        guard let limit = style.rowLimit, rows.count > limit.count else { return fittedLines(style) }
        var limited = self
        limited.rows = Array(limit.keepsLatest ? rows.suffix(limit.count) : rows.prefix(limit.count))
        let (left, all) = (rows.count - limit.count, rows.count)
        let words =
            "\(grouped(Int64(left))) \(limit.keepsLatest ? "earlier" : "more") row\(left == 1 ? "" : "s"): --limit \(all)"
        return limited.fittedLines(style) + [style.paint(words, .aside)]
    }

    private func fittedLines(_ style: OutputStyle) -> [String] {
        var narrowed = self
        let names = columns.indices.filter { columns[$0].isName }
        // Without a terminal, one long name must not make every line as long.
        let limits =
            style.width.map(nameWidths)
            ?? Dictionary(uniqueKeysWithValues: names.map { ($0, Self.longestName) })
        narrowed.rows = rows.map { cells in
            cells.indices.map { position in
                limits[position].map { cells[position].cut(to: $0, style) } ?? cells[position]
            }
        }
        let blocks = narrowed.blocks(fitting: style.width).map { narrowed.block($0, style) }
        return Array(blocks.joined(separator: [""]))
    }

    /// The widest that names may be, by position. A name may have 255 letters; on a terminal it gets a third
    /// of the width, or less if the widest column next to the key would not fit.
    private func nameWidths(on width: Int) -> [Int: Int] {
        let key = columns.indices.filter { columns[$0].group == 0 }
        let others = columns.indices.filter { columns[$0].group != 0 }
        let names = key.filter { columns[$0].isName }
        var widths = Dictionary(uniqueKeysWithValues: names.map { ($0, min(self.width(of: $0), width / 3)) })
        let fixed = key.filter { !columns[$0].isName }.map(self.width) + [others.map(self.width).max() ?? 0]
        let room = width - fixed.reduce(0, +) - key.count * Self.gap
        while widths.values.reduce(0, +) > room,
            let widest = names.max(by: { widths[$0, default: 0] < widths[$1, default: 0] }),
            let current = widths[widest], current > Self.shortestName
        {
            widths[widest] = current - 1
        }
        return widths
    }

    /// The positions of columns in each table: as many groups as fit. A group too wide for a table is split.
    private func blocks(fitting width: Int?) -> [[Int]] {
        let key = columns.indices.filter { columns[$0].group == 0 }
        let groups = Set(columns.map(\.group)).subtracting([0]).sorted()
        var blocks: [[Int]] = []
        for group in groups {
            let members = columns.indices.filter { columns[$0].group == group }
            let fits = totalWidth(key + members) <= width ?? .max
            for added in fits ? [members] : members.map({ [$0] }) {
                if let last = blocks.last, totalWidth(last + added) <= width ?? .max {
                    blocks[blocks.count - 1] += added
                } else {
                    blocks.append(key + added)
                }
            }
        }
        return blocks.isEmpty ? [key] : blocks
    }

    private func totalWidth(_ positions: [Int]) -> Int {
        positions.reduce(-Self.gap) { $0 + width(of: $1) + Self.gap }
    }

    private func width(of position: Int) -> Int {
        let texts = (rows + (totals.map { [$0] } ?? [])).map { $0[position].text }
        return (texts + [columns[position].title]).map(displayWidth).max() ?? 0
    }

    private func block(_ positions: [Int], _ style: OutputStyle) -> [String] {
        let widths = positions.map(width)
        let rule = style.paint(String(repeating: style.rule, count: totalWidth(positions)), .aside)
        let header = columns.map { Cell($0.title, .title) }
        var lines = [line(header, positions, widths, style), rule]
        lines += rows.map { line($0, positions, widths, style) }
        if let totals { lines += [rule, line(totals, positions, widths, style)] }
        return lines
    }

    private func line(_ cells: [Cell], _ positions: [Int], _ widths: [Int], _ style: OutputStyle) -> String {
        var line = ""
        var pending = 0
        for (position, width) in zip(positions, widths) {
            let cell = cells[position]
            let room = max(0, width - displayWidth(cell.text))
            let isNumber = columns[position].isNumber
            // Spaces are written only before text, so that no line ends in a space.
            if !cell.text.isEmpty {
                line += String(repeating: " ", count: pending + (isNumber ? room : 0))
                line += style.paint(cell.text, cell.ink)
                pending = isNumber ? 0 : room
            } else {
                pending += width
            }
            pending += Self.gap
        }
        return line
    }
}
