/// Counts over time: one count as columns, several as lines, because columns of nested counts would look like a sum.
package struct ColumnChart {
    struct Layer {
        let name: String
        let count: Int64
        let ink: Ink
    }

    struct Column {
        /// The full name, shown on hover.
        let name: String
        /// The label below the column.
        let label: String
        /// The same layers in each column.
        let layers: [Layer]
    }

    let title: String
    let caption: String
    let columns: [Column]
    /// Precedes every number if they are estimates.
    var prefix = ""
    /// Drawn without gaps, for adjacent ranges.
    var isJoined = false

    func card(id: String) -> Markup {
        let largest = columns.flatMap(\.layers).map(\.count).max() ?? 0
        let scale = PlotScale(largest: Double(largest), isWhole: true)
        let shapes =
            (isSeveral ? lines(scale) : []) + columns.enumerated().map { group($1, at: $0, scale) }
            + PlotScale.labels(columns.map(\.label), namesEdges: isJoined)
        return ChartCard(
            id: id, title: title, caption: caption, legend: legend, scale: scale,
            tick: { grouped(Int64($0)) }, shapes: shapes
        ).markup
    }

    private var isSeveral: Bool { columns.first.map { $0.layers.count > 1 } ?? false }

    /// A single layer needs no legend: the caption describes it.
    private var legend: [LegendEntry] {
        guard isSeveral, let layers = columns.first?.layers else { return [] }
        return layers.map { LegendEntry(name: $0.name, ink: $0.ink) }
    }

    private func middle(_ position: Int) -> String {
        percentage((Double(position) + 0.5) / Double(columns.count))
    }

    private func lines(_ scale: PlotScale) -> [Markup] {
        guard let layers = columns.first?.layers else { return [] }
        return layers.indices.flatMap { layer in
            columns.indices.dropLast().map { position in
                let ends = [position, position + 1].map {
                    PlotScale.pixels(scale.y(Double(columns[$0].layers[layer].count)))
                }
                return .shape(
                    "line",
                    [
                        "class": "path \(layers[layer].ink.pageClass)", "x1": middle(position),
                        "x2": middle(position + 1), "y1": ends[0], "y2": ends[1],
                    ])
            }
        }
    }

    /// The points of a column, and a strip that shows their title on hover.
    private func points(_ column: Column, at position: Int, _ scale: PlotScale) -> [Markup] {
        let slot = 1 / Double(columns.count)
        let strip = Markup.shape(
            "rect",
            [
                "class": "strip", "x": percentage(Double(position) * slot), "y": String(PlotScale.ceiling),
                "width": percentage(slot), "height": String(PlotScale.floor - PlotScale.ceiling),
            ])
        return [strip]
            + column.layers.map { layer in
                .shape(
                    "circle",
                    [
                        "class": "point \(layer.ink.pageClass)", "cx": middle(position),
                        "cy": PlotScale.pixels(scale.y(Double(layer.count))),
                        "r": columns.count > 60 ? "1.5" : "3",
                    ])
            }
    }

    private func group(_ column: Column, at position: Int, _ scale: PlotScale) -> Markup {
        let slot = 1 / Double(columns.count)
        let width = slot * (isJoined ? 0.97 : columns.count > 60 ? 0.9 : 0.72)
        let x = (Double(position) + 0.5) * slot - width / 2
        let words = column.layers.map { "\($0.name) \(prefix)\(grouped($0.count))" }.joined(separator: ", ")
        guard !isSeveral else {
            let title = Markup.element("title", [:], "\(column.name): \(words)")
            return .element("g", [:], [title] + points(column, at: position, scale))
        }
        let rectangles = column.layers.compactMap { layer -> Markup? in
            guard layer.count > 0 else { return nil }
            // Any count above 0 is visible.
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
