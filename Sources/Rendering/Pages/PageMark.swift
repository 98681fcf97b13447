package import Basics

/// An event that explains the numbers, such as a release: a thin line in every chart over time.
package struct PageMark: Sendable {
    let instant: Instant
    let text: String

    package init(at instant: Instant, _ text: String) {
        (self.instant, self.text) = (instant, text)
    }
}

/// A mark at its place in a chart, as a fraction of the width.
struct PlacedMark {
    let place: Double
    let text: String
    /// Counted from 1, as in the list below the chart.
    let number: Int

    /// The marks within the axis, in chronological order.
    static func placed(_ marks: [PageMark], on axis: TimeAxis) -> [PlacedMark] {
        marks.sorted { $0.instant < $1.instant }
            .compactMap { mark in axis.place(of: mark.instant).map { (place: $0, text: mark.text) } }
            .enumerated().map { PlacedMark(place: $1.place, text: $1.text, number: $0 + 1) }
    }

    var shape: Markup {
        let x = percentage(place)
        return .element(
            "g", ["class": "mark"],
            [
                .element("title", [:], text),
                .shape("line", ["x1": x, "x2": x, "y1": "18", "y2": String(PlotScale.floor)]),
                .shape("circle", ["cx": x, "cy": "10", "r": "8"]),
                .element("text", ["x": x, "y": "14", "text-anchor": "middle"], String(number)),
            ])
    }

    /// What the numbers in the chart stand for.
    static func list(_ marks: [PlacedMark]) -> Markup {
        .element("ol", ["class": "marks"], marks.map { .element("li", [:], [.name($0.text)]) })
    }
}

extension HTMLPage {
    /// The page with these marks in its charts over time. The first one lists them.
    package func marked(_ marks: [PageMark]) -> HTMLPage {
        var page = self
        var isFirst = true
        page.sections = sections.map { section in
            guard case .lines(var chart) = section else { return section }
            chart.marks = PlacedMark.placed(marks, on: chart.axis)
            chart.listsMarks = isFirst
            isFirst = false
            return .lines(chart)
        }
        return page
    }
}
