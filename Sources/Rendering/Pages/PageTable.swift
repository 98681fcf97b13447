package import Reports

/// A table on a page: exact numbers, with bars next to them.
package struct PageTable {
    package struct Column {
        let title: String
        let isNumber: Bool
        /// Whether the column is part of a row's key.
        let isKey: Bool
        let isBar: Bool

        package init(title: String, isNumber: Bool, isKey: Bool) {
            (self.title, self.isNumber, self.isKey) = (title, isNumber, isKey)
            isBar = false
        }

        init(bar title: String) {
            self.title = title
            (isNumber, isKey, isBar) = (false, false, true)
        }
    }

    package struct Cell {
        let text: String
        let ink: Ink?
        let bar: [BarChart.Layer]
        let interval: ClosedRange<Double>?

        /// The part of the row's key that the cell names.
        let part: RowKey.Part?

        package init(text: String, ink: Ink?, part: RowKey.Part? = nil) {
            self.text = text
            self.ink = ink
            self.part = part
            (bar, interval) = ([], nil)
        }

        init(bar: [BarChart.Layer], interval: ClosedRange<Double>? = nil) {
            (text, ink, part) = ("", nil, nil)
            self.bar = bar
            self.interval = interval
        }
    }

    /// Longer names may break anywhere.
    private static let longName = 28

    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    var totals: [Cell]?

    /// The table of a terminal, with its bars as drawings.
    package init(_ table: TextTable, caption: String = "") {
        let cells = { (row: [TextTable.Cell]) in
            row.map { cell in
                guard let fraction = cell.fraction else {
                    return Cell(text: cell.text, ink: cell.ink, part: cell.part)
                }
                return Cell(bar: [.init(to: fraction, ink: cell.ink ?? .aside)])
            }
        }
        self.caption = caption
        columns = table.columns.map { column in
            column.isBar
                ? Column(bar: column.title)
                : Column(title: column.title, isNumber: column.isNumber, isKey: column.group == 0)
        }
        rows = table.rows.map(cells)
        totals = table.totals.map(cells)
    }

    package init(caption: String, columns: [Column], rows: [[Cell]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// The table as a section of its own.
    func card(id: String, _ links: PageLinks) -> Markup {
        .element(
            "section", ["class": "card wide", "aria-labelledby": "\(id)-heading"],
            [
                .element("h2", ["id": "\(id)-heading"], caption.isEmpty ? "All numbers" : caption),
                markup(links),
            ])
    }

    /// The table, which can be scrolled sideways on a narrow screen, also with the keyboard, with a hint that says so.
    func markup(_ links: PageLinks) -> Markup {
        let header = Markup.element(
            "thead", [:],
            [
                .element(
                    "tr", [:],
                    columns.map { column -> Markup in
                        .element(
                            "th", ["scope": "col", "class": cssClass(column, nil)],
                            [.link(to: links.glossary(ofTitle: column.title), Markup(column.title))])
                    })
            ])
        let body = Markup.element("tbody", [:], rows.map { row($0, links) })
        let footer = totals.map { [Markup.element("tfoot", [:], [row($0, links)])] } ?? []
        let isWide = columns.count > 4
        let table = Markup.element(
            "div",
            [
                "class": isWide ? "scroll" : "scroll few", "tabindex": "0", "role": "region",
                "aria-label": caption.isEmpty ? "The numbers as a table" : caption,
            ], [.element("table", [:], [header, body] + footer)])
        guard isWide else { return table }
        return .element(
            "div", ["class": "table"],
            [.element("p", ["class": "hint"], "Scroll sideways for all \(columns.count) columns →"), table])
    }

    private func row(_ cells: [Cell], _ links: PageLinks) -> Markup {
        .element(
            "tr", [:],
            zip(columns, cells).map { column, cell -> Markup in
                guard cell.bar.isEmpty else {
                    return .element("td", ["class": "bar"], [Self.picture(cell.bar, cell.interval)])
                }
                let content: [Markup] =
                    column.isNumber
                    ? [Markup(cell.text)] : [.link(to: links.filter(cell.part), .name(cell.text))]
                let isLong = !column.isNumber && displayWidth(cell.text) > Self.longName
                let cssClass = cssClass(column, cell.ink) + (isLong ? " long" : "")
                return column.isKey
                    ? .element("th", ["scope": "row", "class": cssClass], content)
                    : .element("td", ["class": cssClass], content)
            })
    }

    private func cssClass(_ column: Column, _ ink: Ink?) -> String {
        let kind = column.isBar ? "bar" : column.isNumber ? "number" : "words"
        return [kind, ink?.pageClass].compactMap(\.self).joined(separator: " ")
    }
}

// MARK: - Bars

extension PageTable {
    private static let height = 14
    /// The shortest bar: any value above 0 is visible.
    private static let shortest = 0.006

    /// A picture of a bar, hidden from screen readers because the number is next to it.
    private static func picture(_ layers: [BarChart.Layer], _ interval: ClosedRange<Double>?) -> Markup {
        let track = Markup.shape(
            "rect", ["class": "track", "width": "100%", "height": String(height), "rx": "2"])
        return .element(
            "svg", ["aria-hidden": "true", "width": "100%", "height": String(height)],
            [track] + layers.compactMap(rectangle) + whisker(interval))
    }

    private static func rectangle(_ layer: BarChart.Layer) -> Markup? {
        let (from, to) = (min(max(layer.from, 0), 1), min(max(layer.to, 0), 1))
        guard to > from else { return nil }
        let width = max(to - from, shortest)
        return .shape(
            "rect",
            [
                "class": layer.ink.pageClass, "x": percentage(min(from, 1 - width)),
                "width": percentage(width),
                "height": String(height), "rx": "2",
            ])
    }

    private static func whisker(_ interval: ClosedRange<Double>?) -> [Markup] {
        guard let interval else { return [] }
        let (low, high) = (percentage(interval.lowerBound), percentage(interval.upperBound))
        let (middle, above, below) = (String(height / 2), String(height / 2 - 4), String(height / 2 + 4))
        return [
            .shape("line", ["class": "whisker", "x1": low, "x2": high, "y1": middle, "y2": middle]),
            .shape("line", ["class": "whisker", "x1": low, "x2": low, "y1": above, "y2": below]),
            .shape("line", ["class": "whisker", "x1": high, "x2": high, "y1": above, "y2": below]),
        ]
    }
}
