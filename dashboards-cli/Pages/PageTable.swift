/// A table of a page: exact numbers beside a picture, or all there are.
struct PageTable {
    struct Column {
        let title: String
        let isNumber: Bool
        /// Of a row's key.
        let isKey: Bool
    }

    struct Cell {
        let text: String
        let ink: Ink?
    }

    /// Longer ones may be broken anywhere.
    private static let longName = 28

    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    var totals: [Cell]?

    /// What stands in a terminal, without its columns of bars.
    init(_ table: TextTable, caption: String = "") {
        let kept = table.columns.indices.filter { position in
            !table.columns[position].title.isEmpty
                || !table.rows.allSatisfy { row in row[position].text.allSatisfy("█▏▎▍▌▋▊▉".contains) }
        }
        let cells = { (row: [TextTable.Cell]) in kept.map { Cell(text: row[$0].text, ink: row[$0].ink) } }
        self.caption = caption
        columns = kept.map { position in
            let column = table.columns[position]
            return Column(title: column.title, isNumber: column.isNumber, isKey: column.group == 0)
        }
        rows = table.rows.map(cells)
        totals = table.totals.map(cells)
    }

    init(caption: String, columns: [Column], rows: [[Cell]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// As a section of its own.
    func card(id: String) -> Markup {
        .element(
            "section", ["class": "card wide", "aria-labelledby": "\(id)-heading"],
            [.element("h2", ["id": "\(id)-heading"], caption.isEmpty ? "All numbers" : caption), markup])
    }

    /// Wider than a telephone: it can be moved aside there, also with the keyboard.
    var markup: Markup {
        let header = Markup.element(
            "thead", [:],
            [
                .element(
                    "tr", [:],
                    columns.map { column -> Markup in
                        .element("th", ["scope": "col", "class": cssClass(column, nil)], column.title)
                    })
            ])
        let body = Markup.element("tbody", [:], rows.map(row))
        let footer = totals.map { [Markup.element("tfoot", [:], [row($0)])] } ?? []
        return .element(
            "div",
            [
                "class": columns.count > 3 ? "scroll" : "scroll few", "tabindex": "0", "role": "region",
                "aria-label": caption.isEmpty ? "The numbers as a table" : caption,
            ], [.element("table", [:], [header, body] + footer)])
    }

    private func row(_ cells: [Cell]) -> Markup {
        .element(
            "tr", [:],
            zip(columns, cells).map { column, cell -> Markup in
                let content: [Markup] = column.isNumber ? [Markup(cell.text)] : [.name(cell.text)]
                let isLong = !column.isNumber && displayWidth(cell.text) > Self.longName
                let cssClass = cssClass(column, cell.ink) + (isLong ? " long" : "")
                return column.isKey
                    ? .element("th", ["scope": "row", "class": cssClass], content)
                    : .element("td", ["class": cssClass], content)
            })
    }

    private func cssClass(_ column: Column, _ ink: Ink?) -> String {
        [column.isNumber ? "number" : "words", ink?.pageClass].compactMap(\.self).joined(separator: " ")
    }
}
