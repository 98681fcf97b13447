internal import DeliveryModel
package import Reports

extension ReachReport: RenderableReport {
    /// One line per row. The audience belongs to the app, not to a row, so it is only in a line of totals.
    package var csv: CSVText {
        let hasTotals = frame.query.by.isEmpty
        let csv = ReportCSV(
            frame: frame,
            columns: ["targeted", "reached", "engaged"] + Proportion.columns("reach")
                + (hasTotals ? ["audience", "audience_reached"] + Proportion.columns("audience_reach") : [])
                + (comparison?.columns ?? []), unmatched: unmatched)
        let compared = comparison.map { comparison in
            comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) }
        }
        return csv.text(
            rows: compared ?? rows.map { ($0.key, Self.fields($0.counts)) },
            totals: Self.fields(totals) + [.integer(audience)] + audienceReachFields
                + (comparison?.totals.previousFields ?? []))
    }

    /// Empty if not known.
    private var audienceReachFields: [CSVField] {
        guard let rate = audienceReach else {
            return Array(repeating: .number(nil), count: 1 + Proportion.columns("").count)
        }
        return [.integer(rate.numerator)] + rate.fields
    }

    private static func fields(_ counts: Counts) -> [CSVField] {
        [.integer(counts.targeted), .integer(counts.reached), .integer(counts.engaged)] + counts.reach.fields
    }

    package func remark(on format: ReportFormat) -> String? {
        guard format == .csv, let standardError else { return nil }
        return
            "Estimated from sketches, standard error \(percent(standardError)) %. --exact counts the notifications."
    }

    package var htmlPage: HTMLPage { ReachTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { ReachTable(self, style).lines }
}
