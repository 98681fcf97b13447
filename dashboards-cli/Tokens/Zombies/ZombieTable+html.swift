internal import Access
internal import DeliveryModel
internal import Rendering
internal import Reports

extension ZombieTable {
    /// The zombies as an HTML page. `style` must be the page's.
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
            title: "Zombies", subject: report.app.slug,
            headline: report.builds.isEmpty
                ? nobody
                : "\(grouped(report.inflation.numerator)) of the audience of \(grouped(report.audience)) are zombies: \(Headline.share(report.inflation)).",
            facts: facts,
            sections: [
                .figures(figures),
                .table(PageTable(builds, caption: "All builds")),
                .table(PageTable(installations, caption: "Those with the most pushes")), .remarks(remarks),
            ], terms: Metric.all.filter { $0.id == "audience" })
    }
}
