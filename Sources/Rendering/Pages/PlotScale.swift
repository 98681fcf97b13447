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

    /// The distance from the top, as a fraction of the plot's height.
    func depth(_ value: Double) -> Double { 1 - min(max(value / top, 0), 1) }

    func y(_ value: Double) -> Double {
        Double(Self.ceiling) + depth(value) * Double(Self.floor - Self.ceiling)
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

    /// The numbers of the grid lines, in their own picture to the left of the plot, to cover nothing.
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

    /// The margin in which a label would exceed the plot, at either end.
    private static let margins = (wide: 0.03, narrow: 0.09)
    private static let mostLabels = (wide: 8, narrow: 4)

    /// Labels at regular positions, each centered on what it names, so that they do not overlap: a few on a
    /// narrow screen, up to twice as many on a wide page.
    ///
    /// - Parameters:
    ///   - labels: `nil` where there is none.
    ///   - namesEdges: true if a label names the left edge of its position.
    static func labels(_ labels: [String?], namesEdges: Bool = false) -> [Markup] {
        let known = labels.enumerated().compactMap { position, label in
            label.map {
                (text: $0, x: (Double(position) + (namesEdges ? 0 : 0.5)) / Double(labels.count))
            }
        }
        let shown = thinned(known.filter { isWithin($0.x, margins.wide) }, to: mostLabels.wide)
        let narrow = thinned(shown.filter { isWithin($0.x, margins.narrow) }, to: mostLabels.narrow).map(\.x)
        return shown.map { label in
            .element(
                "text",
                [
                    "class": narrow.contains(label.x) ? "label" : "label wide-only",
                    "x": percentage(label.x), "y": String(floor + 18), "text-anchor": "middle",
                ], label.text)
        }
    }

    private static func isWithin(_ x: Double, _ margin: Double) -> Bool { x >= margin && x <= 1 - margin }

    private static func thinned<Label>(_ labels: [Label], to most: Int) -> [Label] {
        let step = max(1, (labels.count + most - 1) / most)
        return labels.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }
}
