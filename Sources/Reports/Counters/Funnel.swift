public import DeliveryModel

/// The progress of notifications from the attempt to the click.
public typealias FunnelReport = CounterReport<Funnel>

public enum Funnel: CounterQuestion {
    public static let name = "funnel"
    public static let rates: [Rate] = [.acceptance, .arrival, .clickThrough]

    /// In the order of the document and of CSV.
    public static let shown: [Measure] =
        [.attempted, .accepted] + RejectionClass.allCases.map(Measure.rejected) + [
            .conflicting, .reportable, .arrived, .arrivedReportable, .confirmed, .confirmedSigned, .presented,
            .clicked, .dismissed, .confirmedUnreported, .contradicted, .misdirected,
        ]

    /// The document contains `arrived_reportable` as the numerator of a rate.
    private static var fields: [SheetField<EstimatedCounts>] {
        shown.map { measure in
            measure == .arrivedReportable
                ? .measure(measure, title: "Arrived of these", in: [.csv, .figure]) : .measure(measure)
        } + rates.map { .rate($0) } + ArrivalEstimate.fields + [.rejected]
    }

    public static func sheet(of report: FunnelReport) -> Sheet {
        let (totals, arrivals) = (report.totals, report.context.arrivals)
        var sheet = Sheet(
            "Funnel", report.frame, fields,
            rows: report.rows.map { ($0.key, .init(counts: $0.counts, arrivals: arrivals?.rows[$0.key])) },
            totals: .init(counts: totals, arrivals: arrivals?.totals))
        sheet.headline = Headline.funnel(totals)
        sheet.table += [
            [.bar(SheetBar("of largest", "attempted", .attempted)), "attempted", "accepted", "acceptance"],
            [.column("reportable"), .column("arrived_reportable"), .column("arrival")]
                + (arrivals == nil ? [] : [.column("arrival_estimated")]),
            ["confirmed", "clicked", "click_through", "rejected"],
        ]
        sheet.pictures = [.stages(stages(totals)), .stages(reported(totals))]
        if totals.rejected > 0 { sheet.pictures.append(.stages(.rejections(totals))) }
        sheet.remarks = remarks(report)
        sheet.trends = ["attempted", "confirmed", "clicked"]
        sheet.course = SheetCourse(
            series: ["attempted", "accepted", "confirmed", "clicked"], rate: Rate.clickThrough.id,
            caption: "Notifications. Each line is a part of the line above it.", addsUp: true)
        sheet.comparedInRows = ["attempted", "accepted", "confirmed", "clicked"]
        sheet.terms = [
            "attempted", "accepted", "reportable", "arrived", "confirmed", "clicked", "acceptance",
            "arrival", "click_through", "unmatched",
        ]
        return sheet
    }

    private static func stages(_ totals: MeasureCounts) -> StagePicture {
        StagePicture(
            title: "How far notifications got",
            [
                .measure(.attempted, in: totals),
                .measure(.accepted, in: totals, of: .attempted, .acceptance),
                .measure(.confirmed, in: totals, of: .accepted),
                .measure(.clicked, in: totals, of: .confirmed, .clickThrough),
            ], isFunnel: true)
    }

    /// The arrivals that extensions reported, compared with those they could have reported.
    private static func reported(_ totals: MeasureCounts) -> StagePicture {
        let arrival = Rate.arrival.proportion(in: totals)
        var picture = StagePicture(
            title: "What extensions reported",
            [
                .init("reportable", arrival.denominator, ink: .accepted),
                .init(
                    "arrived_reportable", name: "arrived", arrival.numerator, ink: .confirmed,
                    share: (arrival, "reportable"), rate: Rate.arrival.id),
            ], whole: totals[.attempted])
        picture.caption = "A lower bound: the system can kill extensions, and users can mute them."
        return picture
    }

    private static func remarks(_ report: FunnelReport) -> [SheetRemark] {
        let totals = report.totals
        let bound = SheetRemark(
            "arrival", .rate(Rate.arrival.proportion(in: totals)),
            "a lower bound: extensions can be killed or muted", form: .atLeast, isOnPage: false)
        let unread = SheetRemark("arrival, estimated", .none, ArrivalEstimates.unreadReason)
        return [bound] + (report.context.arrivals?.totals.remarks ?? [unread])
            + SheetRemark.clickThrough(totals, rows: report.rows) + [
                SheetRemark(
                    "lost receipts", .count(totals[.confirmedUnreported]),
                    "reportable and confirmed, but not by the extension", id: "confirmed_unreported"),
                SheetRemark(
                    "conflicting", .count(totals[.conflicting]), "rejected for reasons of several classes"),
                SheetRemark(
                    "contradicted", .count(totals[.contradicted]),
                    "seen on a device, with no acceptance on record"),
            ] + trust(totals) + SheetRemark.unmatched(report.unmatched)
    }

    /// The events that may not be what they say. Mentioned only if there are any.
    private static func trust(_ totals: MeasureCounts) -> [SheetRemark] {
        let unsigned = totals.share(totals[.confirmed] - totals[.confirmedSigned], of: totals[.confirmed])
        var remarks: [SheetRemark] = []
        if totals[.misdirected] > 0 {
            remarks.append(
                SheetRemark(
                    "misdirected", .count(totals[.misdirected]),
                    "reported by an installation that the push did not go to"))
        }
        if totals[.confirmedSigned] > 0, let share = unsigned.value {
            remarks.append(
                SheetRemark(
                    "unsigned", .count(unsigned.numerator),
                    "\(Words.percent(share)) % of confirmed, by no event with a valid receipt"))
        }
        return remarks
    }
}

/// The counts of a row with the estimate of its arrivals, if there is one.
struct EstimatedCounts: Counted {
    let counts: MeasureCounts
    let arrivals: ArrivalEstimate?
}
