internal import Reports

/// Counts of adjacent ranges as columns without gaps.
package struct Histogram {
    struct Column {
        /// The full name of the range, shown on hover and in the table.
        let name: String
        /// Where the range begins.
        let label: String
        let count: Int64
    }

    let title: String
    let caption: String
    let columns: [Column]
    let ink: Ink
    let unit: String

    func card(id: String, _ links: PageLinks) -> Markup {
        let scale = PlotScale(largest: Double(columns.map(\.count).max() ?? 0), isWhole: true)
        return ChartCard(
            id: id, title: title, caption: caption, scale: scale, tick: { grouped(Int64($0)) },
            shapes: columns.enumerated().map { group($1, at: $0, scale) }
                + PlotScale.labels(columns.map(\.label), namesEdges: true),
            table: table
        ).card(links)
    }

    private var table: PageTable {
        PageTable(
            caption: title,
            columns: [
                .init(title: "Time", isKey: true),
                .init(title: SheetColumn.capitalized(unit), isNumber: true),
            ], rows: columns.map { [.init(text: $0.name), .init(text: grouped($0.count))] })
    }

    private func group(_ column: Column, at position: Int, _ scale: PlotScale) -> Markup {
        let slot = 1 / Double(columns.count)
        let title = Markup.element("title", [:], "\(column.name): \(unit) \(grouped(column.count))")
        guard column.count > 0 else { return .element("g", [:], [title]) }
        // Any count above 0 is visible.
        let top = min(scale.y(Double(column.count)), Double(PlotScale.floor) - 1)
        let bar = Markup.shape(
            "rect",
            [
                "class": ink.pageClass, "x": percentage(Double(position) * slot + slot * 0.03),
                "y": PlotScale.pixels(top), "width": percentage(slot * 0.94),
                "height": PlotScale.pixels(Double(PlotScale.floor) - top), "rx": "2",
            ])
        return .element("g", [:], [title, bar])
    }
}
