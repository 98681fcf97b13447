internal import DeliveryModel
internal import Reports

/// The pictures in the cells of tables, hidden from screen readers because the numbers are next to them.
enum CellPicture {
    private static let height = 14
    /// The shortest bar: any value above 0 is visible.
    private static let shortest = 0.006

    static func bar(_ layers: [BarChart.Layer], _ interval: ClosedRange<Double>?) -> Markup {
        let track = Markup.shape(
            "rect", ["class": "track", "width": "100%", "height": String(height), "rx": "3"])
        return .picture(height: height, [track] + layers.compactMap(rectangle) + whisker(interval))
    }

    private static func rectangle(_ layer: BarChart.Layer) -> Markup? {
        let (from, to) = (min(max(layer.from, 0), 1), min(max(layer.to, 0), 1))
        guard to > from else { return nil }
        let width = max(to - from, shortest)
        return .shape(
            "rect",
            [
                "class": layer.ink.pageClass, "x": percentage(min(from, 1 - width)),
                "width": percentage(width), "height": String(height), "rx": "3",
            ])
    }

    private static func whisker(_ interval: ClosedRange<Double>?) -> [Markup] {
        guard let interval else { return [] }
        let (low, high) = (percentage(interval.lowerBound), percentage(interval.upperBound))
        let (middle, above, below) = (String(height / 2), String(height / 2 - 4), String(height / 2 + 4))
        return [
            .shape("line", ["class": "whisker", "x1": low, "x2": high, "y1": middle, "y2": middle]),
            .shape("line", ["class": "whisker", "x1": low, "x2": low, "y1": above, "y2": below]),
            .shape("line", ["class": "whisker", "x1": high, "x2": high, "y1": above, "y2": below]),
        ]
    }
}

/// The rates of a column on one scale: a dot on its 95 % interval per row, and a line at the rate of all.
struct RatePlot {
    private let scale: ClosedRange<Double>
    private let reference: Double?

    /// Rows with less than this share of notifications do not widen the scale; it cuts their intervals.
    private static let smallest = 0.01

    /// `nil` if there is nothing to compare.
    init?(_ rates: [Proportion], total: Proportion?) {
        guard rates.count(where: { $0.value != nil }) > 1 else { return nil }
        let least = Double(total?.denominator ?? 0) * Self.smallest
        let large = rates.filter { Double($0.denominator) >= least }.compactMap(\.interval)
        let bounds = rates.compactMap(\.value) + large.flatMap { [$0.lowerBound, $0.upperBound] }
        guard let low = bounds.min(), let high = bounds.max(), low < high else { return nil }
        scale = low...high
        reference = total?.value
    }

    /// The ends of the scale, for the column's heading.
    var ends: Markup {
        .element(
            "span", ["class": "ends", "aria-hidden": "true"],
            [scale.lowerBound, scale.upperBound].map { .element("span", [:], "\(percent($0)) %") })
    }

    func picture(_ rate: Proportion, _ ink: Ink) -> Markup? {
        guard let value = rate.value else { return nil }
        var shapes = [line("axis", 0, 1)]
        if let reference { shapes.append(line("reference", place(reference), nil)) }
        if let interval = rate.interval {
            shapes.append(line("spread", place(interval.lowerBound), place(interval.upperBound)))
        }
        shapes.append(.shape("circle", ["cx": percentage(place(value)), "cy": "7", "r": "3.5"]))
        return .picture("rate \(ink.pageClass)", height: 14, shapes)
    }

    /// A horizontal line, or a vertical one without an end.
    private func line(_ cssClass: String, _ from: Double, _ to: Double?) -> Markup {
        .shape(
            "line",
            [
                "class": cssClass, "x1": percentage(from), "x2": percentage(to ?? from),
                "y1": to == nil ? "0" : "7", "y2": to == nil ? "14" : "7",
            ])
    }

    /// The place of a value, with room for a dot at either end.
    private func place(_ value: Double) -> Double {
        let share = (value - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
        return 0.04 + 0.92 * min(max(share, 0), 1)
    }
}
