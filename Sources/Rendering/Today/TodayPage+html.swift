internal import Reports

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
