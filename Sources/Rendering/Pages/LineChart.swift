internal import Reports

/// Lines over time. Counts are areas, each a part of the one before; rates have a band of 95 % intervals.
package struct LineChart {
    struct Point {
        let value: Double
        let text: String
        var interval: ClosedRange<Double>?
    }

    struct Series {
        let name: String
        let ink: Ink
        /// One for each period; `nil` if there is no number.
        let points: [Point?]
        /// Whether these are the numbers of the window that the report is compared with.
        var isEarlier = false
    }

    let title: String
    let caption: String
    let axis: TimeAxis
    /// Any earlier numbers last.
    let series: [Series]
    /// Whether the numbers are shares; counts otherwise.
    var isRate = false
    var marks: [PlacedMark] = []
    var listsMarks = true
    /// The exact numbers, folded below the chart.
    var table: PageTable?

    func card(id: String, _ links: PageLinks) -> Markup {
        let highs = series.flatMap(\.points).compactMap { $0.map { $0.interval?.upperBound ?? $0.value } }
        let largest = highs.max() ?? 0
        let scale = PlotScale(largest: isRate ? min(largest, 1) : largest, isWhole: !isRate)
        let names = axis.names
        return ChartCard(
            id: id, title: title, caption: caption, legend: series.count > 1 ? series : [],
            scale: scale, tick: { isRate ? "\(percent($0)) %" : grouped(Int64($0)) },
            shapes: [curves(scale)] + marks.map(\.shape)
                + axis.values.indices.map { group(at: $0, names[$0], scale) } + PlotScale.labels(axis.labels),
            marks: listsMarks ? marks : [], table: table
        ).card(links)
    }

    /// The curves in a grid that is stretched to the plot, because paths accept no percentages.
    private func curves(_ scale: PlotScale) -> Markup {
        .element(
            "svg",
            [
                "aria-hidden": "true", "y": String(PlotScale.ceiling), "width": "100%",
                "height": String(PlotScale.floor - PlotScale.ceiling), "viewBox": "0 0 1000 1000",
                "preserveAspectRatio": "none",
            ],
            series.filter(\.isEarlier).map { curve($0, scale) }
                + series.filter { !$0.isEarlier }.map { curve($0, scale) })
    }

    private func curve(_ series: Series, _ scale: PlotScale) -> Markup {
        let runs = series.points.runs.map { run in
            run.map { position, point in
                Run(
                    x: (Double(position) + 0.5) / Double(series.points.count) * 1_000,
                    y: scale.depth(point.value) * 1_000,
                    low: scale.depth(point.interval?.lowerBound ?? 0) * 1_000,
                    high: scale.depth(point.interval?.upperBound ?? point.value) * 1_000)
            }
        }
        let area = runs.map { $0.line(\.high) + $0.reversed().line(\.low, from: "L") + "Z" }.joined()
        let line = Markup.shape("path", ["class": "line", "d": runs.map { $0.line(\.y) }.joined()])
        return .element(
            "g", ["class": series.isEarlier ? "earlier \(series.ink.pageClass)" : series.ink.pageClass],
            (series.isEarlier ? [] : [.shape("path", ["class": isRate ? "band" : "area", "d": area])])
                + [line])
    }

    /// A strip that shows the numbers of a period on hover, and its points, always visible if few or alone.
    private func group(at position: Int, _ name: String, _ scale: PlotScale) -> Markup {
        let slot = 1 / Double(axis.values.count)
        let known = series.compactMap { series in series.points[position].map { (series, $0) } }
        let words = known.map { "\($0.name) \($1.text)" }.joined(separator: ", ")
        let strip = Markup.shape(
            "rect",
            [
                "class": "strip", "x": percentage(Double(position) * slot), "y": String(PlotScale.ceiling),
                "width": percentage(slot), "height": String(PlotScale.floor - PlotScale.ceiling),
            ])
        let points = known.filter { !$0.0.isEarlier }.map { series, point in
            let isShown = axis.values.count <= 16 || series.points.isAlone(at: position)
            return Markup.shape(
                "circle",
                [
                    "class": "point \(isShown ? "" : "hidden ")\(series.ink.pageClass)",
                    "cx": percentage((Double(position) + 0.5) * slot),
                    "cy": PlotScale.pixels(scale.y(point.value)), "r": "3",
                ])
        }
        return .element(
            "g", [:], [.element("title", [:], words.isEmpty ? name : "\(name): \(words)"), strip] + points)
    }
}

/// A point of a curve, in thousandths of the plot from its upper left corner.
private struct Run {
    let x: Double
    let y: Double
    let low: Double
    let high: Double
}

extension [Run] {
    fileprivate func line(_ height: KeyPath<Run, Double>, from start: String = "M") -> String {
        enumerated().map { position, point in
            "\(position == 0 ? start : "L")\(PlotScale.pixels(point.x)) \(PlotScale.pixels(point[keyPath: height]))"
        }.joined()
    }
}

extension [LineChart.Point?] {
    /// The points with their positions, split where there is none.
    fileprivate var runs: [[(Int, LineChart.Point)]] {
        indices.split { self[$0] == nil }.map { run in
            run.compactMap { place in self[place].map { (place, $0) } }
        }
    }

    /// Whether the point has no line to another one.
    fileprivate func isAlone(at position: Int) -> Bool {
        let before = position > 0 ? self[position - 1] : nil
        let after = position + 1 < count ? self[position + 1] : nil
        return before == nil && after == nil
    }
}
