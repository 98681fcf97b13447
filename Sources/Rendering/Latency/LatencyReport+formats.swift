package import Reports

extension LatencyReport: RenderableReport {
    /// One line with both stages: `arrival_p50_ms`. Without notifications, quantiles are empty.
    package var csv: CSVText {
        let figures = totals.figures
        let csv = ReportCSV(
            frame: frame, columns: figures.columns + (comparison?.columns ?? []), unmatched: unmatched)
        guard let comparison else {
            return csv.text(rows: rows.map { ($0.key, $0.stages.figures.fields) }, totals: figures.fields)
        }
        return csv.text(
            rows: comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) },
            totals: figures.fields + comparison.totals.previousFields)
    }

    package var htmlPage: HTMLPage { LatencyTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { LatencyTable(self, style).lines }
}
