internal import Reports

/// What every number means, as a page; each has its id as the anchor.
package enum GlossaryMarkup {
    package static var content: [Markup] {
        [.element("h1", [:], "What every number means")]
            + Metric.Chapter.allCases.flatMap { chapter in
                [.element("h2", [:], chapter.rawValue)]
                    + Metric.all.filter { $0.chapter == chapter }.map(section)
            }
    }

    private static func section(_ metric: Metric) -> Markup {
        let elsewhere = metric.elsewhere.map { "\($0.system): \($0.name)" }.joined(separator: "; ")
        return .element(
            "section", ["class": "metric", "id": metric.id],
            [
                .element("h3", [:], [.element("code", [:], metric.id)]),
                .element(
                    "p", [:], [.element("code", [:], metric.formula), Markup(" (\(metric.unit.rawValue))")]),
                .element("p", [:], metric.meaning),
            ]
                + (metric.caveats.isEmpty
                    ? [] : [.element("ul", [:], metric.caveats.map { .element("li", [:], $0) })])
                + (elsewhere.isEmpty ? [] : [.element("p", ["class": "aside"], "Elsewhere: \(elsewhere).")]))
    }
}
