internal import DeliveryModel
internal import Reports

/// A table on a page: exact numbers, with bars and intervals in their cells.
package struct PageTable {
    package struct Column {
        let title: String
        /// The figure or metric of the column; `nil` if it is none.
        var id: String?
        var isNumber = false
        /// Whether the column is part of a row's key.
        var isKey = false
        var isBar = false
    }

    package struct Cell {
        var text = ""
        var ink: Ink?
        var bar: [BarChart.Layer] = []
        var interval: ClosedRange<Double>?
        /// The rate that the text states.
        var rate: Proportion?
        /// Whether that rate has a caveat.
        var isDoubtful = false
        /// Below the text, less prominent.
        var note = ""
        /// The change of the number, below it.
        var change: PageChange?
        /// The part of the row's key that the cell names.
        var part: RowKey.Part?
    }

    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    var totals: [Cell]?
    /// Whether a picture shows the same numbers, so that the table need not be visible at once.
    var isFolded = false

    /// The table as a section of its own.
    func card(id: String, _ links: PageLinks) -> Markup {
        let title = caption.isEmpty ? "All numbers" : caption
        guard !isFolded else {
            return .element("section", ["class": "card wide"], [.folded(title, [markup(links)])])
        }
        return .card(id, title, [markup(links)])
    }

    /// The table, which scrolls sideways on a narrow screen, also with the keyboard; a hint says so.
    func markup(_ links: PageLinks) -> Markup {
        let plots = columns.indices.map(plot)
        let header = Markup.element(
            "thead", [:],
            [.element("tr", [:], zip(columns, plots).map { heading($0, $1, links) })])
        let body = Markup.element("tbody", [:], rows.map { row($0, plots, links) })
        let footer = totals.map {
            [Markup.element("tfoot", [:], [row($0, columns.map { _ in nil }, links)])]
        }
        let isWide = columns.count > 4
        let table = Markup.element(
            "div",
            [
                "class": isWide ? "scroll" : "scroll few", "tabindex": "0", "role": "region",
                "aria-label": caption.isEmpty ? "The numbers as a table" : caption,
            ], [.element("table", [:], [header, body] + (footer ?? []))])
        guard isWide else { return table }
        return .element(
            "div", ["class": "table"],
            [.element("p", ["class": "hint"], "Scroll sideways for all \(columns.count) columns →"), table])
    }

    private func plot(_ column: Int) -> RatePlot? {
        RatePlot(rows.compactMap { $0[column].rate }, total: totals?[column].rate)
    }

    private func heading(_ column: Column, _ plot: RatePlot?, _ links: PageLinks) -> Markup {
        let (title, isSorted) = links.heading(column.title, column.id)
        let order: Markup.Attributes = isSorted ? ["aria-sort": "descending"] : [:]
        return .element(
            "th", ["scope": "col", "class": column.kind] + order, [title] + [plot?.ends].compactMap(\.self))
    }

    private func row(_ cells: [Cell], _ plots: [RatePlot?], _ links: PageLinks) -> Markup {
        .element(
            "tr", [:],
            columns.indices.map { position -> Markup in
                let (column, cell) = (columns[position], cells[position])
                guard cell.bar.isEmpty else {
                    return .element("td", ["class": "bar"], [CellPicture.bar(cell.bar, cell.interval)])
                }
                let cssClass = cell.cssClass(in: column)
                let content = cell.content(in: column, plots[position], links)
                return column.isKey
                    ? .element("th", ["scope": "row", "class": cssClass], content)
                    : .element("td", ["class": cssClass], content)
            })
    }
}

extension PageTable {
    /// The table of a terminal, with its bars as drawings. Bars of rates are left out, because pages draw
    /// each rate in its cell.
    package init(_ table: TextTable, caption: String = "", isFolded: Bool = false) {
        let shown = table.columns.indices.filter { !table.columns[$0].isRateBar }
        self.init(
            caption: caption,
            columns: shown.map { table.columns[$0] }.map { column in
                column.isBar
                    ? Column(title: column.title, isBar: true)
                    : Column(
                        title: column.title, id: column.id, isNumber: column.isNumber,
                        isKey: column.group == 0)
            },
            rows: table.rows.map { row in shown.map { Cell(row[$0]) } },
            totals: table.totals.map { row in shown.map { Cell(row[$0]) } }, isFolded: isFolded)
    }
}

extension PageTable.Column {
    fileprivate var kind: String { isBar ? "bar" : isNumber ? "number" : "words" }
}

extension PageTable.Cell {
    /// Longer names may break anywhere.
    private static let longName = 28

    fileprivate init(_ cell: TextTable.Cell) {
        self.init(
            text: cell.text, ink: cell.ink, rate: cell.proportion, isDoubtful: cell.isDoubtful,
            note: cell.isDoubtful ? "few arrivals reported" : "", part: cell.part)
        if let fraction = cell.fraction {
            (text, ink, bar) = ("", nil, [.init(to: fraction, ink: cell.ink ?? .aside)])
        }
    }

    fileprivate func cssClass(in column: PageTable.Column) -> String {
        let isLong = !column.isNumber && displayWidth(text) > Self.longName
        return [column.kind, rate == nil || isDoubtful ? ink?.pageClass : nil, isLong ? "long" : nil]
            .compactMap(\.self).joined(separator: " ")
    }

    fileprivate func content(in column: PageTable.Column, _ plot: RatePlot?, _ links: PageLinks) -> [Markup] {
        let words: [Markup] =
            if let rate, rate.value != nil {
                [rate.markup(isDoubtful: isDoubtful)]
            } else if column.isNumber {
                [Markup(text)]
            } else {
                [.link(to: links.filter(part), .name(text))]
            }
        let picture = rate.flatMap { plot?.picture($0, ink ?? .aside) }
        let below = note.isEmpty ? nil : Markup.element("span", ["class": "below"], note)
        return words + [picture, below, change?.markup("div")].compactMap(\.self)
    }
}
