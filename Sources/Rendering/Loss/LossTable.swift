internal import DeliveryModel
internal import Reports

/// `landfall loss` as text: a waterfall, the meanings of its losses, and a table if there is a breakdown.
struct LossTable {
    let report: LossReport
    let style: OutputStyle

    init(_ report: LossReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        var lines = ReportHeading(frame: report.frame, title: "Loss").lines(style) + [""]
        lines += WaterfallPicture(steps).lines(style)
        let denominators =
            "Shares are of the level above: of attempted, of accepted, and clicked of confirmed."
        lines += folded(denominators, indentation: 2, style).map { style.paint($0, .aside) } + [""]
        lines += Remark.lines(remarks, style, nameWidth: 14)
        if !table.rows.isEmpty { lines += [""] + table.lines(style) }
        let completeness = CompletenessLine.sections(report.completeness, style)
        for section in completeness + [comparison?.lines].compactMap(\.self) { lines += [""] + section }
        return lines
    }

    private var totals: LossCounts { report.totals }

    private func count(_ measure: Measure) -> Int64 { totals.counts[measure] }

    var steps: [WaterfallPicture.Step] {
        var steps = [level("attempted", count(.attempted), .attempted, of: nil)]
        var rest = count(.attempted)
        for item in totals.counts.rejectionsByClass {
            steps.append(loss(item.name, item.count, from: rest, of: count(.attempted), ink: .trouble))
            rest -= item.count
        }
        steps.append(level("accepted", count(.accepted), .accepted, of: count(.attempted)))
        rest = count(.accepted)
        for loss in Loss.allCases {
            guard let lost = totals[loss], lost > 0 else { continue }
            let ink: Ink = loss == .unexplained ? .trouble : .aside
            steps.append(self.loss(loss.title, lost, from: rest, of: count(.accepted), ink: ink))
            rest -= lost
        }
        return steps + [
            level("confirmed", count(.confirmed), .confirmed, of: count(.accepted)),
            level("clicked", count(.clicked), .clicked, of: count(.confirmed)),
        ]
    }

    private func level(_ name: String, _ count: Int64, _ ink: Ink, of whole: Int64?) -> WaterfallPicture.Step
    {
        .init(name: name, text: text(grouped(count), count, of: whole), ink: ink, from: nil, to: count)
    }

    /// A step down from the level before it.
    private func loss(
        _ name: String, _ count: Int64, from level: Int64, of whole: Int64, ink: Ink
    ) -> WaterfallPicture.Step {
        .init(
            name: "  " + name, text: text("-" + grouped(count), count, of: whole), ink: ink, from: level,
            to: level - count)
    }

    /// `-1,234   4.1 %`: the figure and its share of the level above.
    private func text(_ figure: String, _ count: Int64, of whole: Int64?) -> String {
        let share = whole.flatMap { Proportion(count, of: $0).value }.map { percent($0) + " %" } ?? ""
        return figure + String(repeating: " ", count: max(0, 9 - share.count)) + share
    }

    var remarks: [Remark] {
        let losses = Loss.allCases.compactMap { loss -> Remark? in
            guard let count = totals[loss] else {
                return report.supersededReason.map {
                    Remark(name: loss.title, value: style.nothing, meaning: $0)
                }
            }
            return count > 0 ? Remark(name: loss.title, value: grouped(count), meaning: loss.meaning) : nil
        }
        return losses + Remark.clickThrough(totals.counts) + Remark.unmatched(report.unmatched)
    }

    var comparison: ComparisonTable? {
        ComparisonTable(
            report.comparison, report.frame.query,
            inRows: [
                "attempted", "accepted", "not_capable", "permission_off", "unexplained", "confirmed",
                "clicked",
            ], style)
    }

    /// The breakdown. Losses that never occurred have no column.
    var table: TextTable {
        let losses = Loss.allCases.filter { totals[$0] ?? 0 > 0 }
        let first: [TextTable.Column] = [
            .init("Attempted", group: 1), .init("Rejected", group: 1), .init("Accepted", group: 1),
        ]
        let lost = losses.map {
            TextTable.Column($0.title.prefix(1).uppercased() + $0.title.dropFirst(), group: 2)
        }
        let last: [TextTable.Column] = [
            .init(bar: "of accepted", group: 3), .init("Confirmed", group: 3), .init("Share", group: 3),
            .init("Clicked", group: 3),
        ]
        var table = TextTable(Dimension.columns(report.frame.query.by) + first + lost + last)
        table.rows = report.rows.map { $0.key.cells() + cells($0.counts, losses) }
        table.totals = Remark.totals(report.frame.query.by) + cells(totals, losses)
        return table
    }

    private func cells(_ counts: LossCounts, _ losses: [Loss]) -> [TextTable.Cell] {
        let (attempted, accepted) = (counts.counts[.attempted], counts.counts[.accepted])
        let confirmed = counts.counts[.confirmed]
        let bar = TextTable.Cell.bar(confirmed, of: accepted, .confirmed, style)
        let lost = losses.map { loss -> TextTable.Cell in
            guard let count = counts[loss] else { return .init(style.nothing, .aside) }
            return .init(grouped(count), loss == .unexplained && count > 0 ? .trouble : nil)
        }
        let first: [TextTable.Cell] = [
            .init(grouped(attempted)), .init(grouped(attempted - accepted)), .init(grouped(accepted)),
        ]
        let last: [TextTable.Cell] = [
            bar, .init(grouped(confirmed)),
            .init(Proportion(confirmed, of: accepted).value.map { percent($0) + " %" } ?? style.nothing),
            .init(grouped(counts.counts[.clicked])),
        ]
        return first + lost + last
    }
}

extension Loss {
    /// `not reportable`, as shown to users.
    var title: String { rawValue.replacing("_", with: " ") }

    var meaning: String {
        switch self {
        case .recalled: "withdrawn by the sender before a device confirmed it"
        case .notReportable:
            "background pushes, or no mutable-content: no extension could report them"
        case .notCapable: "sent to versions of the app that do not report arrivals"
        case .permissionOff: "alerts were not allowed (denied, or never asked for)"
        case .superseded: "a later push with the same collapse id went to the same target"
        case .pending: "younger than 24 h: their arrival may still be reported"
        case .unexplained: "phone off, app deleted, event lost: unknown"
        }
    }
}
