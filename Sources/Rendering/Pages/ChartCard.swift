internal import Reports

/// The parts of charts with an axis: a heading, a caption, a legend, the picture, and its table, folded.
struct ChartCard {
    let id: String
    let title: String
    let caption: String
    /// The meanings of the colors.
    var legend: [LineChart.Series] = []
    let scale: PlotScale
    /// The label of a value on the axis.
    let tick: (Double) -> String
    /// Shapes with x and width in percent, so that text keeps its size at any width of the page.
    let shapes: [Markup]
    var marks: [PlacedMark] = []
    var table: PageTable?

    func card(_ links: PageLinks) -> Markup {
        let colors: [Markup] = legend.map { series in
            .element(
                "li", ["class": series.ink.pageClass + (series.isEarlier ? " earlier" : "")], series.name)
        }
        var parts: [Markup] = colors.isEmpty ? [] : [.element("ul", ["class": "legend"], colors)]
        parts.append(.element("div", ["class": "plot"], [scale.axis(tick), picture]))
        if !marks.isEmpty { parts.append(PlacedMark.list(marks)) }
        if let table { parts.append(.folded("As a table", [table.markup(links)])) }
        return .card(id, title, caption: caption, parts)
    }

    private var picture: Markup {
        let words: [Markup] = [
            .element("title", ["id": "\(id)-title"], title),
            .element("desc", ["id": "\(id)-desc"], caption),
        ]
        return .element(
            "svg",
            [
                "role": "img", "width": "100%", "height": String(PlotScale.height),
                "aria-labelledby": "\(id)-title \(id)-desc",
            ], words + scale.grid + shapes)
    }
}

/// A fraction of the width as a percentage: `0.25` as `25%`. Plain digits, three decimals at most.
func percentage(_ fraction: Double) -> String {
    let thousandths = Int64((fraction * 100_000).rounded())
    let (whole, rest) = (thousandths / 1_000, abs(thousandths % 1_000))
    guard rest > 0 else { return "\(whole)%" }
    var digits = String(String(rest + 1_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(thousandths < 0 && whole == 0 ? "-" : "")\(whole).\(digits)%"
}
