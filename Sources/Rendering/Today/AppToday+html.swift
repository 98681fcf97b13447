internal import DeliveryModel
package import Doctor
package import Reports

extension HTMLPage {
    /// An app's day: what is wrong first, then the day so far compared with the same hours a week ago.
    ///
    /// - Parameters:
    ///   - health: `nil` if the tokens have not been counted.
    ///   - doctor: `nil` if the app has not been examined.
    ///   - muted: findings of the app that the page counts but does not show.
    ///   - doctorPage: the page that shows them.
    package init(
        _ day: AppToday, _ week: AppWeek, _ health: TokenHealth?, _ doctor: DoctorReport?,
        muted: Set<Finding.ID>, doctorPage: String
    ) {
        let findings = doctor?.without(muted).findings ?? []
        let hidden = (doctor?.findings.count ?? 0) - findings.count
        let note =
            doctor == nil
            ? "The app has not been examined yet." : hidden == 0 ? "" : "\(DoctorReport.mutedWords(hidden))."
        let first = findings.map { HTMLSection.story(PageStory($0)) } + [.note(note, to: doctorPage)]
        self.init(day, week, health, after: first)
    }

    /// An app's day so far.
    ///
    /// - Parameters:
    ///   - week: what the day is compared with; `nil` for yesterday.
    ///   - health: `nil` if the tokens have not been counted.
    ///   - first: what precedes the numbers.
    init(_ day: AppToday, _ week: AppWeek?, _ health: TokenHealth?, after first: [HTMLSection] = []) {
        let audience = PageFigure(
            name: "audience", value: health.map { grouped($0.audience) } ?? "not counted yet",
            detail: "installations that could be shown a notification", ink: .confirmed)
        self.init(
            title: "Today", subject: day.app.slug, headline: Headline.funnel(day.today.totals),
            facts: Self.facts(of: day),
            sections: first + [.stages(PageStages(day, week))]
                + (Self.quarters(day).map { [.lines($0)] } ?? []) + [
                    .table(Self.campaigns(day)), .figures([audience]),
                ])
    }

    static func facts(of day: AppToday) -> [Fact] {
        [
            ("window", "today, \(String(day.timeZone.rfc3339(day.asOf).prefix(10))), \(day.timeZone.name)"),
            ("as of", day.timeZone.rfc3339(day.asOf)),
            ("note", "what was sent earlier has had more time to arrive"),
        ]
    }

    /// The last 24 hours.
    private static func quarters(_ day: AppToday) -> LineChart? {
        let times = day.quarters.map(\.quarter)
        let axis = TimeAxis(.hour, times.map { day.timeZone.rfc3339($0) }) { instant in
            times.lastIndex { $0 <= instant }
        }
        func series(_ name: String, _ ink: Ink, _ count: KeyPath<QuarterCounts, Int64>) -> LineChart.Series {
            .init(name: name, ink: ink, points: day.quarters.map { .init($0[keyPath: count]) })
        }
        return axis.map { axis in
            LineChart(
                title: "The last 24 hours", caption: "Notifications sent in each quarter hour.", axis: axis,
                series: [
                    series("attempted", .attempted, \.attempted),
                    series("confirmed", .confirmed, \.confirmed), series("clicked", .clicked, \.clicked),
                ])
        }
    }

    private static func campaigns(_ day: AppToday) -> PageTable {
        var sheet = day.today.sheet
        sheet.rows = Array(sheet.rows.prefix(10))
        sheet.hasTableTotals = false
        let bar = SheetTableColumn.bar(SheetBar("", "attempted", .attempted))
        sheet.table = [[.key(.campaign)], ["attempted", bar, "confirmed", "clicked", "click_through"]]
        return PageTable(SheetTable(sheet, .page).table, caption: "Campaigns today")
    }
}

extension PageStages {
    /// The day so far, compared with the same hours a week ago, or yesterday if nothing was sent then.
    fileprivate init(_ day: AppToday, _ week: AppWeek?) {
        let now = day.today.totals
        let until = DayPanels(day, .page).clock(day.yesterday.frame.query.window.to)
        let weekAgo = week.flatMap { $0.sameHours.attempted > 0 ? $0.sameHours : nil }
        let steps = DayPanels.stages
        func size(_ measure: Measure) -> Double {
            Proportion(now[measure], of: now[.attempted]).value ?? 0
        }
        title = "Today so far"
        let isFirstDay = weekAgo == nil && day.yesterday.totals[.attempted] == 0
        caption =
            isFirstDay
            ? "Notifications sent since midnight."
            : "Changes are those since \(weekAgo == nil ? "yesterday" : "a week ago") until \(until)."
        stages = steps.enumerated().map { position, step in
            let before = weekAgo?[keyPath: step.count] ?? day.yesterday.totals[step.measure]
            return Stage(
                id: step.measure.rawValue, name: step.measure.rawValue,
                value: grouped(now[step.measure]), ink: step.ink,
                shares: step.whole.map { [(Proportion(now[step.measure], of: now[$0]), $0.rawValue)] } ?? [],
                isDoubtful: step.measure == .clicked && Rate.clickThrough.caveat(in: now) != nil,
                size: size(step.measure),
                next: position + 1 < steps.count ? size(steps[position + 1].measure) : nil,
                growth: before > 0
                    ? PageChange(text: ChangeText.day(from: before, to: now[step.measure], .page), ink: nil)
                    : nil, course: week?.days.map { $0[keyPath: step.count] } ?? [])
        }
    }
}

extension PageStory {
    /// A finding of the doctor.
    init(_ finding: Finding, app: String = "") {
        self.init(
            title: "\(finding.severity.rawValue) · \(finding.id.rawValue)\(app)",
            ink: finding.severity == .problem ? .trouble : .caution, text: finding.sentence,
            notes: [("means", finding.meaning), ("do", finding.remedy)], command: finding.commandLine)
    }
}
