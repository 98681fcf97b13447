public import DeliveryModel

/// The reactions of people to the notifications on their devices.
public typealias ClicksReport = CounterReport<Clicks>

public enum Clicks: CounterQuestion {
    public static let name = "clicks"
    public static let rates: [Rate] = [.clickThrough, .clickPerAccepted, .dismissal]

    public static let shown: [Measure] = [.accepted, .confirmed, .clicked, .dismissed, .presented]

    public static func sheet(of report: ClicksReport) -> Sheet {
        let totals = report.totals
        var sheet = Sheet(
            "Clicks", report.frame, shown.map { .measure($0) } + rates.map { .rate($0) },
            rows: report.rows.map { ($0.key, $0) }, totals: CountedRow(key: RowKey([]), counts: totals))
        sheet.headline = headline(totals)
        sheet.table += [
            [
                .bar(SheetBar("of highest", "click_through", .clicked)), "confirmed", "clicked",
                "click_through",
            ],
            ["accepted", "click_per_accepted"], ["dismissed", "dismissal", "presented"],
        ]
        sheet.pictures = [.stages(stages(totals))]
        sheet.remarks =
            [
                SheetRemark(
                    "click per accepted", SheetValue(.clickPerAccepted, in: totals),
                    "clicked of accepted; some vendors call it CTR")
            ] + SheetRemark.clickThrough(totals, rows: report.rows) + SheetRemark.unmatched(report.unmatched)
        sheet.trends = ["confirmed", "clicked"]
        sheet.course = SheetCourse(
            series: ["confirmed", "clicked"], rate: Rate.clickThrough.id,
            caption: "Notifications. Each line is a part of the line above it.", addsUp: true)
        sheet.comparedInRows = ["accepted", "confirmed", "clicked"]
        sheet.terms = [
            "accepted", "confirmed", "presented", "clicked", "dismissed", "click_through",
            "click_per_accepted", "dismissal", "unmatched",
        ]
        return sheet
    }

    private static func headline(_ counts: MeasureCounts) -> String {
        guard counts[.confirmed] > 0 else { return "No device confirmed a notification in this window." }
        let (clicked, confirmed) = (Words.number(counts[.clicked]), Words.number(counts[.confirmed]))
        let rate = Headline.share(Rate.clickThrough.proportion(in: counts))
        let sentence = "\(clicked) of \(confirmed) confirmed notifications were clicked: \(rate)"
        return sentence + (Rate.clickThrough.caveat(in: counts).map { ". That is too high: \($0)." } ?? ".")
    }

    private static func stages(_ totals: MeasureCounts) -> StagePicture {
        StagePicture(
            title: "What people did",
            [
                .measure(.accepted, in: totals), .measure(.confirmed, in: totals, of: .accepted),
                .measure(.clicked, in: totals, of: .confirmed, .clickThrough),
                .measure(.presented, in: totals, of: .confirmed),
                .measure(.dismissed, in: totals, of: .confirmed, .dismissal),
            ], isFunnel: true)
    }
}

extension CountedRow: Counted {}
