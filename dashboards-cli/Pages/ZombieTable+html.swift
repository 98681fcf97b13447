internal import Access
internal import DeliveryModel
internal import Reports

extension ZombieTable {
    /// The zombies as a page; for a table in the page's style.
    var htmlPage: HTMLPage {
        let figures: [PageFigure] = [
            .init("zombies", report.inflation, of: "the audience", ink: .trouble),
            .init(
                name: "duplicates", value: grouped(report.duplicates),
                detail: "of these: another installation of the same account and model reports"),
            .init(
                name: "audience", value: grouped(report.audience),
                detail: "installations that could be shown a notification, zombies included",
                ink: .confirmed),
        ]
        return HTMLPage(
            title: "Zombies", subject: report.app.slug, facts: facts,
            sections: [
                .figures(figures), .note(report.builds.isEmpty ? nobody : ""), .bars(chart),
                .table(PageTable(builds, caption: "All builds")),
                .table(PageTable(installations, caption: "Those with the most pushes")), .remarks(remarks),
            ], terms: Metric.all.filter { $0.id == "audience" })
    }

    /// More bars than that nobody compares; the table has them all.
    private static let mostBars = 20

    /// Of each build, from the left what reports, and from the right the zombies.
    private var chart: BarChart {
        let shown = report.builds.prefix(Self.mostBars)
        let largest = Double(max(1, shown.map(\.judged).max() ?? 1))
        let left =
            report.builds.count > shown.count
            ? " The first \(shown.count) of \(report.builds.count) builds." : ""
        return BarChart(
            title: "By build",
            caption:
                "Installations with enough pushes to be judged: those that report, and zombies of builds that do.\(left)",
            bars: shown.map { build in
                let (judged, zombies) = (Double(build.judged), Double(build.zombies))
                return .init(
                    name: build.name,
                    value: build.isReporting
                        ? "\(grouped(build.zombies)) of \(grouped(build.judged))"
                        : "silent, of \(grouped(build.judged))",
                    layers: [
                        .init(to: judged / largest, ink: .aside),
                        .init(to: Double(build.reporting) / largest, ink: .confirmed),
                        .init(from: (judged - zombies) / largest, to: judged / largest, ink: .trouble),
                    ])
            },
            legend: [
                .init(name: "reporting", ink: .confirmed), .init(name: "neither", ink: .aside),
                .init(name: "zombies", ink: .trouble),
            ], isWide: true)
    }
}
