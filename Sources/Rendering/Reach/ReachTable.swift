internal import Reports
internal import Wording

/// `landfall reach` as text.
struct ReachTable {
    let report: ReachReport
    let style: OutputStyle

    init(_ report: ReachReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) }

    var page: ReportPage {
        var page = ReportPage(
            frame: report.frame, title: "Reach", pictures: [stages], remarks: remarks, table: table,
            precision: precision)
        page.trends = [
            Trend("targeted", report.rows, report.frame, ink: .attempted, isEstimate: isEstimate) {
                $0.counts.targeted
            },
            Trend("reached", report.rows, report.frame, ink: .confirmed, isEstimate: isEstimate) {
                $0.counts.reached
            },
        ].compactMap(\.self)
        page.sections = CompletenessLine.sections(report.completeness, style)
        page.comparison = ComparisonTable(
            report.comparison, report.frame.query, inRows: ["targeted", "reached", "engaged"], style)
        return page
    }

    private var precision: String {
        guard let error = report.standardError else { return "exact" }
        return
            "estimated from sketches (standard error \(percent(error)) %, included in the intervals; --exact counts)"
    }

    var isEstimate: Bool { report.standardError != nil }

    private var stages: StagePicture {
        let totals = report.totals
        var picture = StagePicture(
            title: "Installations",
            [
                .init(name: "audience", count: report.audience, ink: .aside),
                .init(name: "targeted", count: totals.targeted, ink: .attempted, isEstimate: isEstimate),
                .init(
                    name: "reached", count: totals.reached, ink: .confirmed,
                    share: (totals.reach, "targeted"), isEstimate: isEstimate, rate: "reach"),
                .init(
                    name: "engaged", count: totals.engaged, ink: .clicked,
                    share: (totals.engagement, "reached"),
                    isEstimate: isEstimate, rate: "engagement"),
            ])
        picture.caption =
            "Distinct installations. The audience is everyone who could be shown a notification."
        picture.isFunnel = true
        return picture
    }

    private var remarks: [Remark] {
        [
            Remark(
                name: "audience reach", value: report.audienceReach?.text(style) ?? style.nothing,
                meaning: audienceMeaning),
            Remark(
                name: "without target", value: grouped(report.totals.withoutTarget),
                meaning: "notifications with neither token nor installation; not counted"),
        ] + Remark.unmatched(report.unmatched)
    }

    private var audienceMeaning: String {
        let audience = "the audience of \(grouped(report.audience)), \(audienceTime)"
        guard let reached = report.audienceReached else {
            return "sketches cannot tell who was reached of \(audience); --exact counts"
        }
        let left = report.totals.reached - reached
        return "\(grouped(reached)) reached of \(audience)"
            + (left > 0 ? "; \(grouped(left)) reached are not in it" : "")
    }

    private var audienceTime: String {
        guard report.audienceAsOf != report.frame.asOf else { return "as it is now" }
        let offset = report.frame.query.timeZone.utcOffsetMinutes(at: report.audienceAsOf)
        let time = LocalTime(report.audienceAsOf, utcOffsetMinutes: offset)
        return "as it was at \(time.toTheMinuteWithOffset)"
    }

    func text(_ count: Int64) -> String { (isEstimate ? style.nearly : "") + grouped(count) }

    private var table: TextTable {
        var table = TextTable(
            Dimension.columns(report.frame.query.by) + [
                .init(bar: "of largest", group: 1), .init("Targeted", group: 1), .init("Reached", group: 1),
                .init("Reach", group: 1), .init("Engaged", group: 1),
            ])
        let largest = report.rows.map(\.counts.targeted).max() ?? 0
        table.rows = report.rows.map { row in
            let bar = TextTable.Cell.bar(row.counts.reached, of: largest, .confirmed, style)
            return row.key.cells() + cells(row.counts, bar: bar)
        }
        table.totals = Remark.totals(report.frame.query.by) + cells(report.totals, bar: "distinct")
        return table
    }

    private func cells(_ counts: ReachReport.Counts, bar: TextTable.Cell) -> [TextTable.Cell] {
        [
            bar, .init(text(counts.targeted)), .init(text(counts.reached)),
            .rate(counts.reach, style, .confirmed), .init(text(counts.engaged)),
        ]
    }
}
