package import Access
internal import DeliveryModel
internal import Instants
package import Reports
internal import Wording

/// All apps, each with its day so far and its week.
package struct AppCards {
    let days: [(today: AppToday, week: AppWeek)]
    /// The address of an app's page.
    let address: (App) -> String

    package init(_ days: [(today: AppToday, week: AppWeek)], address: @escaping (App) -> String) {
        (self.days, self.address) = (days, address)
    }

    package var markup: [Markup] {
        [.element("h1", [:], "Apps")]
            + (days.isEmpty
                ? [Self.nothing] : [.element("ul", ["class": "apps"], days.map { card($0.today, $0.week) })])
    }

    private static let nothing = Markup([
        .element("p", ["class": "headline"], "There is no app that you may see yet."),
        .element("pre", [:], [.element("code", [:], "landfall app create SLUG")]),
    ])

    private func card(_ day: AppToday, _ week: AppWeek) -> Markup {
        let totals = day.today.totals
        let sentence =
            totals[.attempted] > 0
            ? Headline.funnel(totals)
            : day.lastQuarter.map {
                "Nothing was sent today; the last notification was sent \($0.rfc3339.prefix(10))."
            }
                ?? "No notification yet."
        return .element(
            "li", ["class": "card"],
            [
                .element("h2", [:], [.element("a", ["href": address(day.app)], [.name(day.app.slug)])]),
                .element("p", [:], sentence),
            ] + [PageFigure.sparkline(week.days.map(\.attempted), .attempted)].compactMap(\.self))
    }
}
