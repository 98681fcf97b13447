/// Bars one below the other, each next to its name and its number: a table with bars in its cells.
struct BarChart {
    /// The start and end of a layer, as fractions of the full width.
    struct Layer {
        var from = 0.0
        let to: Double
        let ink: Ink
    }

    struct Bar {
        let name: String
        let value: String
        /// The denominator of the value; empty if there is none.
        var detail = ""
        /// Each is drawn over the one before it.
        let layers: [Layer]
        /// The interval of the true value, as fractions of the full width.
        var interval: ClosedRange<Double>?
    }

    struct Headings {
        var name = ""
        /// The meaning of a full bar.
        var bar = ""
        var value = "Count"
        var detail = ""
    }

    let title: String
    /// The meaning of a bar's length.
    let caption: String
    let bars: [Bar]
    var legend: [LegendEntry] = []
    var headings = Headings()
    var isWide = false

    func card(id: String) -> Markup {
        var parts: [Markup] = [.element("h2", ["id": "\(id)-heading"], title)]
        if !caption.isEmpty { parts.append(.element("p", ["class": "caption"], caption)) }
        if !legend.isEmpty { parts.append(ChartCard.list(legend)) }
        return .element(
            "section", ["class": isWide ? "card wide" : "card", "aria-labelledby": "\(id)-heading"],
            parts + [.element("div", ["class": "chart"], [table.markup])])
    }

    private var table: PageTable {
        let hasDetails = bars.contains { !$0.detail.isEmpty }
        let columns: [PageTable.Column] = [
            .init(title: headings.name, isNumber: false, isKey: true),
            .init(bar: headings.bar), .init(title: headings.value, isNumber: true, isKey: false),
        ]
        let detail = PageTable.Column(title: headings.detail, isNumber: true, isKey: false)
        return PageTable(
            caption: title, columns: columns + (hasDetails ? [detail] : []),
            rows: bars.map { bar in
                let cells: [PageTable.Cell] = [
                    .init(text: bar.name, ink: nil), .init(bar: bar.layers, interval: bar.interval),
                    .init(text: bar.value, ink: nil),
                ]
                return cells + (hasDetails ? [.init(text: bar.detail, ink: bar.layers.last?.ink)] : [])
            })
    }
}
