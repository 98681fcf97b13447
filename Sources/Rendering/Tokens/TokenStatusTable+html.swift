internal import Access
internal import DeliveryModel
internal import Reports
internal import Wording

extension TokenStatusTable {
    /// The states as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let asOf = LocalTime(report.asOf, utcOffsetMinutes: 0).toTheMinuteWithOffset
        let source =
            report.installationStates == nil ? "as of now" : "from the ledger, before that instant"
        let states = report.states
        let shown = Set(figures.map(\.name))
        return HTMLPage(
            title: "Tokens", subject: report.app.slug,
            headline: "\(grouped(states[.active])) of \(grouped(report.tokens)) tokens are active.",
            facts: [("as of", "\(asOf), UTC"), ("counted", "tokens, exact, \(source)")],
            sections: [
                .figures(figures), .bars(chart(states)), .table(PageTable(table)),
                .remarks(remarks.filter { !shown.contains($0.name) }),
            ], terms: Metric.all.filter { $0.id == "audience" })
    }

    private var figures: [PageFigure] {
        let audience = report.audience.map {
            PageFigure(
                name: "audience", value: grouped($0),
                detail: "installations that could be shown a notification",
                ink: .confirmed)
        }
        return [audience].compactMap(\.self) + [
            .init(name: "installations", value: grouped(report.installations), detail: "known")
        ]
    }

    private func chart(_ states: StateCounts) -> BarChart {
        BarChart(
            title: "By state", caption: "Tokens. A full bar is all \(grouped(report.tokens)).",
            bars: TokenState.allCases.map { state in
                let share = Proportion(states[state], of: report.tokens).value ?? 0
                return .init(
                    name: state.rawValue, value: grouped(states[state]), detail: "\(percent(share)) %",
                    layers: [.init(to: share, ink: ink(state.rawValue))])
            }, headings: .init(name: "State", value: "Tokens", detail: "Share"), isWide: true)
    }
}
