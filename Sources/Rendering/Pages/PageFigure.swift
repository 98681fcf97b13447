package import DeliveryModel
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

    /// A count, and its share of another one.
    package init(
        _ name: String, _ share: Proportion, of whole: String, prefix: String = "", ink: Ink,
        id: String? = nil
    ) {
        let part = share.value.map { "\(percent($0)) %" } ?? OutputStyle.page.nothing
        self.init(
            name: name, value: prefix + grouped(share.numerator), detail: "\(part) of \(whole)", ink: ink,
            id: id ?? name)
    }

    /// A rate, with its numerator and denominator.
    init(
        rate name: String, _ rate: Proportion, of whole: String, prefix: String = "", ink: Ink,
        id: String? = nil
    ) {
        self.init(
            name: name, value: rate.value.map { "\(prefix)\(percent($0)) %" } ?? OutputStyle.page.nothing,
            detail: "\(grouped(rate.numerator)) of \(grouped(rate.denominator)) \(whole)"
                + (rate.interval.map { ", \(percent($0.lowerBound))–\(percent($0.upperBound)) %" } ?? ""),
            ink: ink, id: id)
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

    /// The course of a number, from 0 to its peak; `nil` if there are fewer than three numbers, or only zeros.
    static func sparkline(_ course: [Int64], _ ink: Ink?) -> Markup? {
        guard course.count > 2, let peak = course.max(), peak > 0 else { return nil }
        let points = course.enumerated().map { position, count in
            let x = Double(position) / Double(course.count - 1) * 1_000
            return
                "\(PlotScale.pixels(x)) \(PlotScale.pixels(1_000 - Double(max(0, count)) / Double(peak) * 960))"
        }.joined(separator: "L")
        return .element(
            "svg",
            [
                "class": "sparkline \((ink ?? .aside).pageClass)", "aria-hidden": "true", "width": "100%",
                "height": "32", "viewBox": "0 0 1000 1000", "preserveAspectRatio": "none",
            ],
            [
                .shape("path", ["class": "area", "d": "M0 1000L\(points)L1000 1000Z"]),
                .shape("path", ["class": "line", "d": "M\(points)"]),
            ])
    }
}

/// The change of a number compared with another window: green if it is good, red if it is bad, gray if it may be chance.
struct PageChange {
    let text: String
    let ink: Ink?

    func markup(_ element: StaticString) -> Markup {
        .element(element, ["class": ink.map { "change \($0.pageClass)" } ?? "change"], text)
    }
}
