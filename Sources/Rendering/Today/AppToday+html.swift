internal import Access
internal import DeliveryModel
internal import Instants
package import Reports
internal import Wording

extension HTMLPage {
    /// An app's day: what is wrong first, then the day so far compared with yesterday until the same time of day.
    package init(_ day: AppToday, _ health: TokenHealth, _ doctor: DoctorReport) {
        let totals = day.today.totals
        let findings = doctor.patients.flatMap(\.findings)
        let until = DayPanels(day, .page).clock(day.yesterday.frame.query.window.to)
        let stages: [(name: String, measure: Measure, whole: Measure?, ink: Ink)] = [
            ("attempted", .attempted, nil, .attempted), ("accepted", .accepted, .attempted, .accepted),
            ("confirmed", .confirmed, .accepted, .confirmed), ("clicked", .clicked, .confirmed, .clicked),
        ]
        let figures = stages.map { stage in
            var figure =
                stage.whole.map { whole in
                    PageFigure(
                        stage.name, Proportion(totals[stage.measure], of: totals[whole]), of: whole.rawValue,
                        ink: stage.ink)
                }
                ?? PageFigure(
                    name: stage.name, value: grouped(totals[stage.measure]), detail: "notifications sent today")
            let before = day.yesterday.totals[stage.measure]
            let change = DayChange.text(from: before, to: totals[stage.measure], .page)
            figure.change = ("\(change) compared with \(grouped(before)) yesterday until \(until)", .aside)
            return figure
        }
        let tokens = [
            PageFigure(name: "audience", value: grouped(health.audience), detail: "installations that can be reached")
        ]
        self.init(
            title: "Today", subject: day.app.slug, headline: Headline.funnel(totals),
            facts: [
                (
                    "window",
                    "today, \(String(day.timeZone.rfc3339(day.asOf).prefix(10))), \(day.timeZone.name)"
                ),
                ("as of", day.timeZone.rfc3339(day.asOf)),
                ("note", "what was sent yesterday has had one more day to arrive"),
            ],
            sections: findings.map { .story(PageStory($0)) } + [
                .figures(figures + tokens), .columns(Self.quarters(day)), .table(Self.campaigns(day)),
            ])
    }

    /// The last 24 hours.
    private static func quarters(_ day: AppToday) -> ColumnChart {
        ColumnChart(
            title: "The last 24 hours", caption: "Notifications sent in each quarter hour.",
            columns: day.quarters.map { quarter in
                let clock = DayPanels(day, .page).clock(quarter.quarter)
                return .init(
                    name: clock, label: clock,
                    layers: [
                        .init(name: "attempted", count: quarter.attempted, ink: .attempted),
                        .init(name: "confirmed", count: quarter.confirmed, ink: .confirmed),
                        .init(name: "clicked", count: quarter.clicked, ink: .clicked),
                    ])
            })
    }

    private static func campaigns(_ day: AppToday) -> PageTable {
        var table = TextTable([
            .init("Campaign", isNumber: false, group: 0, isName: true), .init("Attempted", group: 1),
            .init(bar: "", group: 1), .init("Confirmed", group: 1), .init("Clicked", group: 1),
            .init("Click-through", group: 1),
        ])
        let largest = day.today.rows.map { $0.counts[.attempted] }.max() ?? 0
        table.rows = day.today.rows.prefix(10).map { row in
            let rate = Rate.clickThrough.proportion(in: row.counts)
            return row.key.cells() + [
                .init(grouped(row.counts[.attempted])),
                .bar(row.counts[.attempted], of: largest, .attempted, .page),
                .init(grouped(row.counts[.confirmed])), .init(grouped(row.counts[.clicked])),
                .init(rate.text(.page), .clicked),
            ]
        }
        return PageTable(table, caption: "Campaigns today")
    }
}

extension PageStory {
    /// A finding of the doctor.
    init(_ finding: Finding, app: String = "") {
        self.init(
            title: "\(finding.severity.rawValue) · \(finding.id.rawValue)\(app)",
            ink: finding.severity == .problem ? .trouble : .clicked, text: finding.sentence,
            notes: [("means", finding.meaning), ("do", finding.remedy)], command: finding.commandLine)
    }
}
