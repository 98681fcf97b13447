/// Bars one below the other, each with its name and its number above it.
struct BarChart {
    /// From where to where of the full width, as fractions.
    struct Layer {
        var from = 0.0
        let to: Double
        let ink: Ink
    }

    struct Bar {
        let name: String
        /// At the right end of the line.
        let value: String
        /// Each in front of the one before it.
        let layers: [Layer]
        /// Where the true value lies, as fractions of the full width.
        var interval: ClosedRange<Double>?
    }

    let title: String
    /// What the length of a bar stands for.
    let caption: String
    let bars: [Bar]
    var legend: [LegendEntry] = []
    var table: PageTable?
    var isWide = false

    private static let step = 44
    private static let barTop = 21
    private static let thickness = 12
    /// Columns of type on the line above a bar: of a telephone, and of the narrowest card of a wide page.
    private static let narrowColumns = 41
    private static let cardColumns = 56
    private static let wideColumns = 110
    /// What is not 0 is visible.
    private static let shortest = 0.004

    func card(id: String) -> Markup {
        ChartCard(
            id: id, title: title, caption: caption, legend: legend,
            height: bars.count * Self.step - (Self.step - Self.barTop - Self.thickness) + 4, table: table,
            isWide: isWide,
            shapes: bars.enumerated().map { position, bar in group(bar, top: position * Self.step) }
        ).markup
    }

    private func group(_ bar: Bar, top: Int) -> Markup {
        let value = displayWidth(bar.value) + 2
        let names = pictureText(
            bar.name, narrow: max(8, Self.narrowColumns - value),
            wide: max(8, (isWide ? Self.wideColumns : Self.cardColumns) - value)
        ) { ["class": "name\($0)", "x": "0", "y": String(top + 14)] }
        let number = Markup.element(
            "text",
            ["class": "value", "x": "100%", "y": String(top + 14), "text-anchor": "end"], bar.value)
        let track = Markup.shape(
            "rect",
            [
                "class": "track", "x": "0", "y": String(top + Self.barTop), "width": "100%",
                "height": String(Self.thickness), "rx": "3",
            ])
        return .element(
            "g", [:],
            [.element("title", [:], "\(bar.name): \(bar.value)")] + names + [number, track]
                + bar.layers.compactMap { rectangle($0, top: top + Self.barTop) }
                + whisker(bar.interval, middle: top + Self.barTop + Self.thickness / 2))
    }

    private func rectangle(_ layer: Layer, top: Int) -> Markup? {
        let (from, to) = (min(max(layer.from, 0), 1), min(max(layer.to, 0), 1))
        guard to > from else { return nil }
        let width = max(to - from, Self.shortest)
        return .shape(
            "rect",
            [
                "class": layer.ink.pageClass, "x": percentage(min(from, 1 - width)), "y": String(top),
                "width": percentage(width), "height": String(Self.thickness), "rx": "3",
            ])
    }

    private func whisker(_ interval: ClosedRange<Double>?, middle: Int) -> [Markup] {
        guard let interval else { return [] }
        let (low, high) = (percentage(interval.lowerBound), percentage(interval.upperBound))
        let (above, below) = (String(middle - 4), String(middle + 4))
        return [
            .shape(
                "line",
                ["class": "whisker", "x1": low, "x2": high, "y1": String(middle), "y2": String(middle)]),
            .shape("line", ["class": "whisker", "x1": low, "x2": low, "y1": above, "y2": below]),
            .shape("line", ["class": "whisker", "x1": high, "x2": high, "y1": above, "y2": below]),
        ]
    }
}
