package import Reports

extension ClickKindsReport: RenderableReport {
    /// One line per row, and the totals.
    package var csv: CSVText {
        let figures = totals.figures(of: totals)
        let csv = ReportCSV(
            frame: frame, columns: figures.columns + (comparison?.columns ?? []), unmatched: unmatched)
        guard let comparison else {
            return csv.text(
                rows: rows.map { ($0.key, $0.clicks.figures(of: totals).fields) }, totals: figures.fields)
        }
        return csv.text(
            rows: comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) },
            totals: figures.fields + comparison.totals.previousFields)
    }

    package var htmlPage: HTMLPage { ClickKindsTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { ClickKindsTable(self, style).lines }
}
