internal import Reports

/// The common parts of charts with an axis: a heading, a caption, a legend of the colors, the picture, and its table, folded.
struct ChartCard {
    let id: String
    let title: String
    let caption: String
    var legend: [LegendEntry] = []
    let scale: PlotScale
    /// The label of a value on the axis.
    let tick: (Double) -> String
    /// Shapes with x and width in percent, so that text keeps its size at any width of the page.
    let shapes: [Markup]
    var marks: [PlacedMark] = []
    var table: PageTable?

    func card(_ links: PageLinks) -> Markup {
        var parts = legend.isEmpty ? [] : [LegendEntry.list(legend)]
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

/// The meaning of a color.
struct LegendEntry {
    let name: String
    let ink: Ink
    var isEarlier = false

    static func list(_ entries: [LegendEntry]) -> Markup {
        .element(
            "ul", ["class": "legend"],
            entries.map { entry in
                .element(
                    "li", ["class": entry.ink.pageClass + (entry.isEarlier ? " earlier" : "")], entry.name)
            })
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
