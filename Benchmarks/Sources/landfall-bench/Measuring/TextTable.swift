/// Cells in columns, the first one left-aligned and the others right-aligned.
struct TextTable {
    private let rows: [[String]]

    /// - Parameter rows: each with as many cells as there are titles.
    init(_ titles: [String], _ rows: [[String]]) {
        self.rows = [titles] + rows
    }

    /// The titles, a rule, and the rows.
    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { Self.line($0, widths) }
        lines.insert(String(repeating: "-", count: widths.reduce(-2) { $0 + $1 + 2 }), at: 1)
        return lines
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, cell in
            let room = String(repeating: " ", count: cell.1 - cell.0.count)
            return column == 0 ? cell.0 + room : room + cell.0
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
