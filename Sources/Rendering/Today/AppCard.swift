internal import Access
internal import DeliveryModel
internal import Instants
package import Reports
internal import Wording

/// An app among all: its day so far, its week, and what is wrong.
package struct AppCard: Sendable {
    let today: AppToday
    let week: AppWeek
    /// Those that are open and not muted, the most severe first.
    let findings: [FindingEpisode]

    package init(today: AppToday, week: AppWeek, findings: [FindingEpisode]) {
        (self.today, self.week) = (today, week)
        self.findings =
            findings.filter { $0.severity == .problem } + findings.filter { $0.severity != .problem }
    }

    package static func page(_ cards: [AppCard]) -> [Markup] {
        [.element("h1", [:], "Apps")]
            + (cards.isEmpty ? [nothing] : [.element("ul", ["class": "apps"], cards.map(\.markup))])
    }

    private static let nothing = Markup([
        .element("p", ["class": "headline"], "There is no app that you may see yet."),
        .element("pre", [:], [.element("code", [:], "landfall app create SLUG")]),
    ])

    private var markup: Markup {
        let slug = today.app.slug
        let address = ConsolePlace.today.path(of: slug)
        return .element(
            "li", ["class": "card"],
            [
                .element("h2", [:], [.element("a", ["href": address], [.name(slug)])]),
                .element("p", [:], sentence),
            ] + [finding, PageFigure.sparkline(week.days.map(\.attempted), .attempted)].compactMap(\.self))
    }

    private var sentence: String {
        let totals = today.today.totals
        guard totals[.attempted] == 0 else { return Headline.funnel(totals) }
        guard let last = today.lastQuarter else { return "No notification yet." }
        return "Nothing was sent today; the last notification was sent \(last.rfc3339.prefix(10))."
    }

    private var finding: Markup? {
        guard let first = findings.first else { return nil }
        let others = findings.count > 1 ? " And \(findings.count - 1) more." : ""
        return .element(
            "p", ["class": first.severity == .problem ? "finding trouble" : "finding caution"],
            [
                .link(
                    to: ConsolePlace.doctor.path(of: today.app.slug),
                    Markup("\(first.severity.rawValue): \(first.sentence)\(others)"))
            ])
    }
}
