/// The height of a picture over time: a round number at the top, and lines at round numbers on the way.
struct PlotScale {
    let top: Double
    let ticks: [Double]

    /// Pixels.
    static let ceiling = 22
    static let floor = 202
    static let height = 226

    /// - Parameter isWhole: numbers that are counted have no ticks between them.
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

    /// 1, 2, 2.5 or 5 times a power of ten, at least the step that was asked for.
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

    /// With one decimal.
    static func pixels(_ y: Double) -> String {
        let tenths = Int((y * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The lines with their numbers, and the one at 0.
    func grid(_ words: (Double) -> String) -> [Markup] {
        let lines = ticks.flatMap { tick -> [Markup] in
            let y = self.y(tick)
            return [
                line(y, "grid"),
                .element("text", ["class": "tick", "x": "0", "y": Self.pixels(y - 4)], words(tick)),
            ]
        }
        return lines + [line(Double(Self.floor), "grid floor")]
    }

    private func line(_ y: Double, _ cssClass: String) -> Markup {
        let y = Self.pixels(y)
        return .shape("line", ["class": cssClass, "x1": "0", "x2": "100%", "y1": y, "y2": y])
    }

    /// Words under every so many places, so that no two touch: up to 4 on a telephone, up to 10 on a wide page.
    static func labels(_ labels: [String]) -> [Markup] {
        guard !labels.isEmpty else { return [] }
        let wideStep = (labels.count + 9) / 10
        let narrowStep = wideStep * max(1, ((labels.count + wideStep - 1) / wideStep + 3) / 4)
        return labels.indices.filter { $0 % wideStep == 0 }.map { position in
            let middle = (Double(position) + 0.5) / Double(labels.count)
            let (anchor, x) =
                middle < 0.08 ? ("start", 0.0) : middle > 0.92 ? ("end", 1.0) : ("middle", middle)
            let isOnTelephones = position % narrowStep == 0
            return .element(
                "text",
                [
                    "class": isOnTelephones ? "label" : "label wide-only", "x": percentage(x),
                    "y": String(floor + 18), "text-anchor": anchor,
                ], labels[position])
        }
    }
}
