package import Reports

extension LossReport: RenderableReport {
    package var csv: CSVText {
        let figures = totals.figures
        let csv = ReportCSV(
            frame: frame, columns: figures.columns + (comparison?.columns ?? []), unmatched: unmatched)
        guard let comparison else {
            return csv.text(rows: rows.map { ($0.key, $0.counts.figures.fields) }, totals: figures.fields)
        }
        return csv.text(
            rows: comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) },
            totals: figures.fields + comparison.totals.previousFields)
    }

    package var htmlPage: HTMLPage { LossTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { LossTable(self, style).lines }
}
