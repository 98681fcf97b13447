package import DeliveryModel
package import Doctor
package import Reports

/// The output of `landfall`: today for one app, a line for each of several, or first steps if there is none.
package struct TodayPage: RenderableReport {
    let asOf: Instant
    let timeZone: ReportTimeZone
    let days: [AppToday]
    /// The tokens of the app; `nil` if several are shown, or if counting them took too long.
    let health: TokenHealth?
    /// None for a reader without access to the database, which these commands need.
    let steps: [NextStep]
    /// Whether there is a database: `ready` or `absent`.
    let database: String
    /// What is missing, as a sentence; empty if there is an app.
    let absence: String

    package init(
        asOf: Instant, timeZone: ReportTimeZone, days: [AppToday], health: TokenHealth?, steps: [NextStep]
    ) {
        (self.asOf, self.timeZone, self.days) = (asOf, timeZone, days)
        (self.health, self.steps) = (health, steps)
        (database, absence) = ("ready", "")
    }

    /// If there is nothing to read.
    package init(nothingAsOf asOf: Instant, database: String, _ absence: String, _ steps: [NextStep]) {
        self.asOf = asOf
        timeZone = .utc
        days = []
        health = nil
        (self.database, self.absence, self.steps) = (database, absence, steps)
    }

    package static var rowsMember: String { "apps" }

    /// `{"report":"today","database":"ready","as_of":…,"time_zone":…,"apps":[…],"next":[{"command":…,"reason":…}]}`
    package var document: JSONValue {
        [
            "report": "today", "database": .string(database),
            "as_of": .string(days.isEmpty ? asOf.rfc3339 : timeZone.rfc3339(asOf)),
            "time_zone": .string(timeZone.name), "apps": .array(days.map { $0.document(tokens: health) }),
            "next": .array(steps.map(\.document)),
        ]
    }

    package func remark(on format: ReportFormat) -> String? {
        guard days.count == 1, health == nil else { return nil }
        return "The tokens are left out: counting them takes longer than the server allows "
            + "(reports.statement_timeout)."
    }

    /// One line per app.
    package var csv: CSVText {
        let measures: [Measure] = [.attempted, .accepted, .confirmed, .clicked]
        var text = CSVText(
            header: ["app"] + measures.map(\.rawValue) + measures.map { "yesterday_\($0.rawValue)" } + [
                "unmatched", "local", "from", "to", "yesterday_from", "yesterday_to", "time_zone", "as_of",
            ])
        for day in days {
            let (now, before) = (day.today.frame.query.window, day.yesterday.frame.query.window)
            let figures = measures.map { CSVField.integer(day.today.totals[$0]) }
            let earlier = measures.map { CSVField.integer(day.yesterday.totals[$0]) }
            let bounds = [now.from, now.to, before.from, before.to].map { timeZone.rfc3339($0) }
            text.append(
                [.text(day.app.slug)] + figures + earlier + [
                    .integer(day.today.unmatched.unmatched), .integer(day.today.unmatched.local),
                ]
                    + bounds.map { .text($0) } + [.text(timeZone.name), .text(timeZone.rfc3339(asOf))])
        }
        return text
    }

    package func lines(_ style: OutputStyle) -> [String] {
        let next = steps.isEmpty ? [] : [""] + NextStep.lines(steps, style)
        guard !days.isEmpty else { return folded(absence, to: style.width) + next }
        let body = days.count == 1 ? days.flatMap { panels($0, style) } : table(style).lines(style)
        return heading(style) + [""] + body + next
    }

    private func heading(_ style: OutputStyle) -> [String] {
        let name = days.count == 1 ? printable(days[0].app.slug) : "\(days.count) apps"
        return [style.paint("Landfall \(style.dot) \(name)", .title)]
            + headingLines("counted", "notifications, by the instant of sending, exact", style)
            + headingLines("as of", "\(timeZone.toTheMinute(asOf)), \(timeZone.name)", style)
            + headingLines("note", "what was sent yesterday has had one more day to arrive", style)
    }

    private func panels(_ day: AppToday, _ style: OutputStyle) -> [String] {
        let panels = DayPanels(day, style)
        let width = min(style.width ?? 100, 100)
        let shown =
            [panels.funnel, panels.quarters, panels.campaigns(limit: 5), panels.rejections]
            + (health.map { [panels.tokens($0)] } ?? [])
        return Panel.stacked(shown, width: width, height: .max / 2, style).map { $0.text(style) }
    }

    /// A row for each app.
    func table(_ style: OutputStyle) -> TextTable {
        var table = TextTable([
            .init("App", isNumber: false, group: 0, isName: true), .init(bar: "of largest", group: 1),
            .init("Attempted", group: 1), .init("Yesterday", group: 1), .init("Change", group: 1),
            .init("Acceptance", group: 2), .init("Confirmed", group: 2), .init("Clicked", group: 2),
            .init("Unmatched", group: 2),
        ])
        let largest = days.map { $0.today.totals[.attempted] }.max() ?? 0
        table.rows = days.map { day in
            let (totals, before) = (day.today.totals, day.yesterday.totals[.attempted])
            let attempted = totals[.attempted]
            let acceptance = Rate.acceptance.proportion(in: totals).value.map { "\(percent($0)) %" }
            return [
                .init(day.app.slug),
                .bar(attempted, of: largest, .attempted, style),
                .init(grouped(attempted)), .init(grouped(before)),
                .init(ChangeText.day(from: before, to: attempted, style)),
                .init(acceptance ?? style.nothing, .accepted), .init(grouped(totals[.confirmed])),
                .init(grouped(totals[.clicked])), .init(grouped(day.today.unmatched.unmatched)),
            ]
        }
        return table
    }
}

extension TodayPage {
    package var htmlPage: HTMLPage {
        guard let day = days.first else {
            return HTMLPage(
                title: "Today", subject: "Landfall", headline: absence, facts: [],
                sections: [.text(NextStep.lines(steps, .page))])
        }
        guard days.count > 1 else { return HTMLPage(day, nil, health) }
        return HTMLPage(
            title: "Today", subject: "\(days.count) apps", facts: HTMLPage.facts(of: day),
            sections: [.table(PageTable(table(.page)))])
    }
}

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
