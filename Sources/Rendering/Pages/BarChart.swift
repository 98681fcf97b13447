internal import Reports

/// Bars one below the other, each next to its name and its number: a table with bars in its cells.
package struct BarChart {
    /// The start and end of a layer, as fractions of the full width.
    package struct Layer {
        var from = 0.0
        let to: Double
        let ink: Ink
    }

    package struct Bar {
        let name: String
        let value: String
        /// The denominator of the value; empty if there is none.
        var detail = ""
        /// Each is drawn over the one before it.
        let layers: [Layer]
        /// The interval of the true value, as fractions of the full width.
        var interval: ClosedRange<Double>?
        /// The meaning of the number, below its name.
        var note = ""
        /// The change of the value.
        var growth: PageChange?
        /// The change of the share in the detail.
        var change: PageChange?
        /// Whether the bar is a level, to which the bars between levels lead.
        var isLevel = false
    }

    let title: String
    /// The meaning of a bar's length.
    let caption: String
    var bars: [Bar]
    let headings: (name: String, value: String, detail: String)
    var isWide: Bool

    func card(id: String, _ links: PageLinks) -> Markup {
        .card(
            id, title, kind: isWide ? "card wide" : "card", caption: caption,
            [.element("div", ["class": "chart"], [table.markup(links)])])
    }

    private var table: PageTable {
        let hasDetails = bars.contains { !$0.detail.isEmpty }
        var columns: [PageTable.Column] = [
            .init(title: headings.name, isKey: true), .init(title: "", isBar: true),
            .init(title: headings.value, isNumber: true),
        ]
        if hasDetails { columns.append(.init(title: headings.detail, isNumber: true)) }
        return PageTable(
            caption: title, columns: columns,
            rows: bars.map { bar in
                var cells: [PageTable.Cell] = [
                    .init(text: bar.name, ink: bar.isLevel ? .title : nil, note: bar.note),
                    .init(bar: bar.layers, interval: bar.interval),
                    .init(text: bar.value, change: bar.growth),
                ]
                if hasDetails { cells.append(.init(text: bar.detail, ink: .aside)) }
                if let change = bar.change { cells[cells.count - 1].change = change }
                return cells
            })
    }
}
