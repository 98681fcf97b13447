/// The vertical scale of a chart over time: a round number at the top, and grid lines at round numbers below.
struct PlotScale {
    let top: Double
    let ticks: [Double]

    /// In pixels.
    static let ceiling = 22
    static let floor = 202
    static let height = 226

    /// - Parameter isWhole: true for counts, which have no ticks between whole numbers.
    init(largest: Double, isWhole: Bool) {
        guard largest > 0 else {
            (top, ticks) = (1, [])
            return
        }
        let step = Self.roundStep(largest / 4, isWhole: isWhole)
        let count = (largest / step).rounded(.up)
        top = count * step
        ticks = (1...max(1, Int(count))).map { Double($0) * step }
    }

    /// 1, 2, 2.5 or 5 times a power of ten, at least the given step.
    private static func roundStep(_ step: Double, isWhole: Bool) -> Double {
        var power = 1.0
        while power > step { power /= 10 }
        while power * 10 <= step { power *= 10 }
        let steps = [1, 2, 2.5, 5, 10].map { $0 * power }.filter { !isWhole || $0 == $0.rounded() }
        return steps.first { $0 >= step } ?? max(1, step)
    }

    func y(_ value: Double) -> Double {
        let share = min(max(value / top, 0), 1)
        return Double(Self.floor) - share * Double(Self.floor - Self.ceiling)
    }

    /// The coordinate with one decimal at most.
    static func pixels(_ y: Double) -> String {
        let tenths = Int((y * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// Grid lines at round numbers and at 0.
    var grid: [Markup] { ticks.map { line(y($0), "grid") } + [line(Double(Self.floor), "grid floor")] }

    private func line(_ y: Double, _ cssClass: String) -> Markup {
        let y = Self.pixels(y)
        return .shape("line", ["class": cssClass, "x1": "0", "x2": "100%", "y1": y, "y2": y])
    }

    /// The numbers of the grid lines, in their own picture to the left of the plot, so that they cover nothing.
    func axis(_ words: (Double) -> String) -> Markup {
        let texts = ticks.map { (words: words($0), y: y($0)) } + [(words: "0", y: Double(Self.floor))]
        let width = 12 + 7 * (texts.map { displayWidth($0.words) }.max() ?? 1)
        return .element(
            "svg",
            ["class": "axis", "aria-hidden": "true", "width": String(width), "height": String(Self.height)],
            texts.map { text in
                .element(
                    "text",
                    [
                        "class": "tick", "x": String(width - 8), "y": Self.pixels(text.y + 4),
                        "text-anchor": "end",
                    ],
                    text.words)
            })
    }

    /// The margin in which a label would exceed the plot on a narrow screen, at either end.
    private static let margin = 0.085

    /// Labels at regular positions, each centered on what it names, so that they do not overlap: up to 4 on a narrow screen, up
    /// to 10 on a wide page.
    ///
    /// - Parameter namesEdges: true if a label names the left edge of its position.
    static func labels(_ labels: [String], namesEdges: Bool = false) -> [Markup] {
        let middles = labels.indices.map { (Double($0) + (namesEdges ? 0 : 0.5)) / Double(labels.count) }
        let shown = labels.indices.filter { (margin...(1 - margin)).contains(middles[$0]) }
        let wideStep = (shown.count + 9) / 10
        let narrowStep = max(1, wideStep) * max(1, (shown.count / max(1, wideStep) + 3) / 4)
        return shown.indices.filter { $0 % max(1, wideStep) == 0 }.map { place in
            .element(
                "text",
                [
                    "class": place % narrowStep == 0 ? "label" : "label wide-only",
                    "x": percentage(middles[shown[place]]), "y": String(floor + 18), "text-anchor": "middle",
                ], labels[shown[place]])
        }
    }
}
