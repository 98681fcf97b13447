internal import Reports

enum LossCSV {
    static func text(of report: LossReport) -> CSVText {
        let totals = report.totals.figures
        let csv = ReportCSV(
            frame: report.frame, columns: totals.columns + (report.comparison?.columns ?? []),
            unmatched: report.unmatched)
        guard let comparison = report.comparison else {
            return csv.text(
                rows: report.rows.map { ($0.key, $0.counts.figures.fields) }, totals: totals.fields)
        }
        return csv.text(
            rows: comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) },
            totals: totals.fields + comparison.totals.previousFields)
    }
}
