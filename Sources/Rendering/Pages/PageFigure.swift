package import Reports

/// A number, its denominator, its change and its course.
package struct PageFigure {
    let name: String
    let value: String
    let detail: String
    let ink: Ink?
    /// The id of the count or rate, for a comparison and the glossary.
    let id: String?
    /// The change since another window.
    var change: PageChange?
    /// The numbers of the periods of the window, for a sparkline.
    var course: [Int64]

    package init(
        name: String, value: String, detail: String = "", ink: Ink? = nil, id: String? = nil,
        course: [Int64] = []
    ) {
        (self.name, self.value, self.detail) = (name, value, detail)
        (self.ink, self.id, self.course) = (ink, id, course)
    }

    func markup(_ links: PageLinks) -> Markup {
        let last = [
            change?.markup("dd"), PageFigure.sparkline(course, ink).map { .element("dd", [:], [$0]) },
        ]
        return .element(
            "div", ["class": ink.map { "figure \($0.pageClass)" } ?? "figure"],
            [
                .element("dt", [:], [.link(to: links.glossary(id ?? name), Markup(name))]),
                .element("dd", ["class": "value"], value), .element("dd", ["class": "detail"], detail),
            ] + last.compactMap(\.self))
    }

    /// The course of a number, from 0 to its peak; `nil` for fewer than three numbers, or only zeros.
    static func sparkline(_ course: [Int64], _ ink: Ink?) -> Markup? {
        guard course.count > 2, let peak = course.max(), peak > 0 else { return nil }
        let points = course.enumerated().map { position, count in
            let x = Double(position) / Double(course.count - 1) * 1_000
            return
                "\(PlotScale.pixels(x)) \(PlotScale.pixels(1_000 - Double(max(0, count)) / Double(peak) * 960))"
        }.joined(separator: "L")
        return .picture(
            "sparkline \((ink ?? .aside).pageClass)", height: 32, isStretched: true,
            [
                .shape("path", ["class": "area", "d": "M0 1000L\(points)L1000 1000Z"]),
                .shape("path", ["class": "line", "d": "M\(points)"]),
            ])
    }
}

/// The change of a number from another window: green if good, red if bad, gray if it may be chance.
struct PageChange {
    let text: String
    let ink: Ink?

    func markup(_ element: StaticString) -> Markup {
        .element(element, ["class": ink.map { "change \($0.pageClass)" } ?? "change"], text)
    }
}
