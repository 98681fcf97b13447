internal import DeliveryModel

/// A rate over time: points joined by a line, each on its 95 % interval. There is no point if there is no denominator.
package struct RateChart {
    struct Point {
        let name: String
        let label: String
        let rate: Proportion?
    }

    let title: String
    let caption: String
    let points: [Point]
    let ink: Ink

    func card(id: String) -> Markup {
        let highs = points.compactMap { point in
            point.rate.flatMap { $0.interval?.upperBound ?? $0.value }
        }
        let scale = PlotScale(largest: min(highs.max() ?? 0, 1), isWhole: false)
        let shapes =
            lines(scale) + points.indices.compactMap { group(at: $0, scale) }
            + PlotScale.labels(points.map(\.label))
        return ChartCard(
            id: id, title: title, caption: caption, scale: scale, tick: { "\(percent($0)) %" }, shapes: shapes
        ).markup
    }

    private func x(_ position: Int) -> String {
        percentage((Double(position) + 0.5) / Double(points.count))
    }

    private func lines(_ scale: PlotScale) -> [Markup] {
        points.indices.dropLast().compactMap { position in
            guard let from = points[position].rate?.value, let to = points[position + 1].rate?.value else {
                return nil
            }
            return .shape(
                "line",
                [
                    "class": "path \(ink.pageClass)", "x1": x(position), "x2": x(position + 1),
                    "y1": PlotScale.pixels(scale.y(from)), "y2": PlotScale.pixels(scale.y(to)),
                ])
        }
    }

    private func group(at position: Int, _ scale: PlotScale) -> Markup? {
        guard let rate = points[position].rate, let value = rate.value else { return nil }
        let x = x(position)
        var shapes: [Markup] = [
            .element(
                "title", [:],
                "\(points[position].name): \(rate.text(.page)), \(grouped(rate.numerator)) of \(grouped(rate.denominator))"
            )
        ]
        if let interval = rate.interval {
            shapes.append(
                .shape(
                    "line",
                    [
                        "class": "band \(ink.pageClass)", "x1": x, "x2": x,
                        "y1": PlotScale.pixels(scale.y(interval.lowerBound)),
                        "y2": PlotScale.pixels(scale.y(interval.upperBound)),
                    ]))
        }
        shapes.append(
            .shape(
                "circle",
                [
                    "class": "point \(ink.pageClass)", "cx": x, "cy": PlotScale.pixels(scale.y(value)),
                    "r": points.count > 60 ? "1.5" : "3.5",
                ]))
        return .element("g", [:], shapes)
    }
}
