internal import DeliveryModel
internal import Reports

/// `landfall funnel` as text: stages with bars, rejections by class, and a table if there is a breakdown.
struct FunnelTable {
    let report: FunnelReport
    let style: OutputStyle

    init(_ report: FunnelReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) }

    var page: ReportPage {
        let pictures = [stages, arrivals] + (totals.rejected > 0 ? [.rejections(totals)] : [])
        var page = ReportPage(
            frame: report.frame, title: "Funnel", pictures: pictures, remarks: remarks, table: table,
            sections: CompletenessLine.sections(report.context.completeness, style))
        page.isRounded = report.totals.roundedBy > 0
        page.variants = report.variants(style)
        page.comparison = ComparisonTable(
            report.context.comparison, report.frame.query,
            inRows: ["attempted", "accepted", "confirmed", "clicked"], style)
        page.pageRemarks = otherRemarks
        page.trends = [
            Trend("attempted", report.rows, report.frame, ink: .attempted) { $0.counts[.attempted] },
            Trend("confirmed", report.rows, report.frame, ink: .confirmed) { $0.counts[.confirmed] },
            Trend("clicked", report.rows, report.frame, ink: .clicked) { $0.counts[.clicked] },
        ].compactMap(\.self)
        return page
    }

    private var totals: MeasureCounts { report.totals }

    private var stages: StagePicture {
        let attempted = totals[.attempted]
        let accepted = totals[.accepted]
        let confirmed = totals[.confirmed]
        var picture = StagePicture(
            title: "How far notifications got",
            [
                .init(name: "attempted", count: attempted, ink: .attempted),
                .init(
                    name: "accepted", count: accepted, ink: .accepted,
                    share: (totals.share(accepted, of: attempted), "attempted"), rate: Rate.acceptance.id),
                .init(
                    name: "confirmed", count: confirmed, ink: .confirmed,
                    share: (totals.share(confirmed, of: accepted), "accepted")),
                .init(
                    name: "clicked", count: totals[.clicked], ink: .clicked,
                    share: (totals.share(totals[.clicked], of: confirmed), "confirmed"),
                    isDoubtful: Rate.clickThrough.caveat(in: totals) != nil, rate: Rate.clickThrough.id),
            ])
        picture.isFunnel = true
        return picture
    }

    /// The arrivals that extensions reported, compared with those they could have reported.
    private var arrivals: StagePicture {
        let arrival = Rate.arrival.proportion(in: totals)
        var picture = StagePicture(
            title: "What extensions reported",
            [
                .init(name: "reportable", count: arrival.denominator, ink: .accepted),
                .init(
                    name: "arrived", count: arrival.numerator, ink: .confirmed,
                    share: (arrival, "reportable"), rate: Rate.arrival.id),
            ], whole: totals[.attempted])
        picture.caption = "A lower bound: the system can kill extensions, and users can mute them."
        return picture
    }

    private var remarks: [Remark] { bound + otherRemarks }

    /// On a page, the picture of the arrivals says this.
    private var bound: [Remark] {
        let arrival = Rate.arrival.proportion(in: totals).value
        return [
            Remark(
                name: "arrival", value: arrival.map { "\(style.atLeast) \(percent($0)) %" } ?? style.nothing,
                meaning: "a lower bound: extensions can be killed or muted")
        ]
    }

    private var otherRemarks: [Remark] {
        let others = [
            Remark(
                name: "lost receipts", value: grouped(totals[.confirmedUnreported]),
                meaning: "reportable and confirmed, but not by the extension"),
            Remark(
                name: "conflicting", value: grouped(totals[.conflicting]),
                meaning: "rejected for reasons of several classes"),
            Remark(
                name: "contradicted", value: grouped(totals[.contradicted]),
                meaning: "seen on a device, with no acceptance on record"),
        ]
        let unread = Remark(
            name: "arrival, estimated", value: style.nothing, meaning: ArrivalEstimates.unreadReason)
        return (report.context.arrivals?.totals.remarks(style) ?? [unread])
            + Remark.clickThrough(totals, rows: report.rows) + others + trust
            + Remark.unmatched(report.unmatched)
    }

    /// The events that may not be what they say. Mentioned only if there are any.
    private var trust: [Remark] {
        let unsigned = totals.share(totals[.confirmed] - totals[.confirmedSigned], of: totals[.confirmed])
        var remarks: [Remark] = []
        if totals[.misdirected] > 0 {
            remarks.append(
                Remark(
                    name: "misdirected", value: grouped(totals[.misdirected]),
                    meaning: "reported by an installation that the push did not go to"))
        }
        if totals[.confirmedSigned] > 0, let share = unsigned.value {
            remarks.append(
                Remark(
                    name: "unsigned", value: grouped(unsigned.numerator),
                    meaning: "\(percent(share)) % of confirmed, by no event with a valid receipt"))
        }
        return remarks
    }

    var table: TextTable {
        let sent: [TextTable.Column] = [
            .init(bar: "of largest", group: 1), .init("Attempted", group: 1), .init("Accepted", group: 1),
            .init("Acceptance", group: 1),
            .init("Reportable", group: 2), .init("Arrived of these", group: 2), .init("Arrival", group: 2),
        ]
        let estimated = hasEstimates ? [TextTable.Column("Estimated", group: 2)] : []
        let seen: [TextTable.Column] = [
            .init("Confirmed", group: 3), .init("Clicked", group: 3), .init("Click-through", group: 3),
            .init("Rejected", group: 3),
        ]
        var table = TextTable(Dimension.columns(report.frame.query.by) + sent + estimated + seen)
        let largest = report.rows.map { $0.counts[.attempted] }.max() ?? 0
        table.rows = report.rows.map { row in
            let bar = TextTable.Cell.bar(row.counts[.attempted], of: largest, .attempted, style)
            let estimate = report.context.arrivals?.rows[row.key]
            return row.key.cells() + cells(row.counts, estimate, bar: bar)
        }
        let estimate = report.context.arrivals?.totals
        table.totals = Remark.totals(report.frame.query.by) + cells(totals, estimate, bar: "")
        return table
    }

    private var hasEstimates: Bool { report.context.arrivals != nil }

    private func cells(_ counts: MeasureCounts, _ estimate: ArrivalEstimate?, bar: TextTable.Cell)
        -> [TextTable.Cell]
    {
        let estimated = hasEstimates ? [TextTable.Cell(estimate?.estimatedText(style) ?? style.nothing)] : []
        let sent: [TextTable.Cell] = [
            bar, .init(grouped(counts[.attempted])), .init(grouped(counts[.accepted])),
            .rate(.acceptance, in: counts, style, .accepted),
            .init(grouped(counts[.reportable])), .init(grouped(counts[.arrivedReportable])),
            .rate(.arrival, in: counts, style, .confirmed),
        ]
        let seen: [TextTable.Cell] = [
            .init(grouped(counts[.confirmed])), .init(grouped(counts[.clicked])),
            .rate(.clickThrough, in: counts, style, .clicked),
            .init(grouped(counts.rejected)),
        ]
        return sent + estimated + seen
    }
}

extension Remark {
    /// The notifications that are in no other figure. Local ones are mentioned only if there are any.
    static func unmatched(_ counts: UnmatchedCounts) -> [Remark] {
        let unmatched = Remark(
            name: "unmatched", value: grouped(counts.unmatched),
            meaning: "no provider response (yet), in no other figure")
        let local = Remark(
            name: "local", value: grouped(counts.local),
            meaning: "shown by the app itself, in no other figure")
        return counts.local > 0 ? [unmatched, local] : [unmatched]
    }

    /// The reason why the click-through of the totals, or of some rows, is marked with `!`; empty if none is.
    static func clickThrough(_ totals: MeasureCounts, rows: [CountedRow] = []) -> [Remark] {
        let marked = rows.filter { Rate.clickThrough.caveat(in: $0.counts) != nil }
        let ofTotals = Rate.clickThrough.caveat(in: totals)
        guard let caveat = ofTotals ?? marked.first.flatMap({ Rate.clickThrough.caveat(in: $0.counts) })
        else {
            return []
        }
        let value =
            ofTotals == nil
            ? "\(grouped(Int64(marked.count))) of \(grouped(Int64(rows.count))) rows"
            : Rate.clickThrough.proportion(in: totals).value.map { "\(percent($0)) %" } ?? ""
        return [Remark(name: "click-through !", value: value, meaning: "too high: \(caveat)")]
    }

    /// The key cells of the totals.
    static func totals(_ dimensions: [Dimension]) -> [TextTable.Cell] {
        dimensions.indices.map { TextTable.Cell($0 == 0 ? "Total" : "", .title) }
    }
}
