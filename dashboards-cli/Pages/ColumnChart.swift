/// Columns side by side, each with what it is a part of behind it.
struct ColumnChart {
    struct Layer {
        let name: String
        let count: Int64
        let ink: Ink
    }

    struct Column {
        /// In full, for those who point at it.
        let name: String
        /// Below it.
        let label: String
        /// Each in front of the one before it, and not larger.
        let layers: [Layer]
    }

    let title: String
    let caption: String
    let columns: [Column]
    /// In front of every number, where they are estimates.
    var prefix = ""
    var table: PageTable?
    /// Without gaps, for ranges that touch.
    var isJoined = false

    func card(id: String) -> Markup {
        let largest = columns.flatMap(\.layers).map(\.count).max() ?? 0
        let scale = PlotScale(largest: Double(largest), isWhole: true)
        let shapes =
            scale.grid { grouped(Int64($0)) }
            + columns.enumerated().map { group($1, at: $0, scale) }
            + PlotScale.labels(columns.map(\.label))
        return ChartCard(
            id: id, title: title, caption: caption, legend: legend, height: PlotScale.height, table: table,
            isWide: true, shapes: shapes
        ).markup
    }

    /// One layer needs no words: the caption has them.
    private var legend: [LegendEntry] {
        guard let layers = columns.first?.layers, layers.count > 1 else { return [] }
        return layers.map { LegendEntry(name: $0.name, ink: $0.ink) }
    }

    private func group(_ column: Column, at position: Int, _ scale: PlotScale) -> Markup {
        let slot = 1 / Double(columns.count)
        let width = slot * (isJoined ? 0.97 : columns.count > 60 ? 0.9 : 0.72)
        let x = (Double(position) + 0.5) * slot - width / 2
        let words = column.layers.map { "\($0.name) \(prefix)\(grouped($0.count))" }.joined(separator: ", ")
        let rectangles = column.layers.compactMap { layer -> Markup? in
            guard layer.count > 0 else { return nil }
            // What is not 0 is visible.
            let top = min(scale.y(Double(layer.count)), Double(PlotScale.floor) - 1)
            return .shape(
                "rect",
                [
                    "class": layer.ink.pageClass, "x": percentage(x), "y": PlotScale.pixels(top),
                    "width": percentage(width), "height": PlotScale.pixels(Double(PlotScale.floor) - top),
                ])
        }
        return .element("g", [:], [.element("title", [:], "\(column.name): \(words)")] + rectangles)
    }
}
