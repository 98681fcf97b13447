internal import DeliveryModel
internal import Reports

enum RejectionsCSV {
    /// One line per key and response.
    static func text(of report: RejectionsReport) -> CSVText {
        let csv = ReportCSV(
            frame: report.frame,
            columns: ["provider", "status", "reason", "class", "rejected", "attempted"]
                + Proportion.columns("share") + ["retryable", "token_verdict", "advice"])
        return csv.text(rows: report.rows.map { ($0.key, fields($0)) }, totals: [])
    }

    private static func fields(_ row: RejectionsReport.Row) -> [CSVField] {
        let response = row.response
        let words: [CSVField] = [
            .text(response.provider), .text(String(response.status)), .text(response.reason ?? ""),
            .text(response.rejectionClass.rawValue),
        ]
        return words + [.integer(row.rejected), .integer(row.share.denominator)] + row.share.fields
            + [.text(response.retry.rawValue), .text(response.tokenVerdict.rawValue), .text(response.advice)]
    }
}

enum LatencyCSV {
    /// One line with both stages: `arrival_p50_ms`. Without notifications, quantiles are empty.
    static func text(of report: LatencyReport) -> CSVText {
        let totals = report.totals.figures
        let csv = ReportCSV(
            frame: report.frame, columns: totals.columns + (report.comparison?.columns ?? []),
            unmatched: report.unmatched)
        guard let comparison = report.comparison else {
            return csv.text(
                rows: report.rows.map { ($0.key, $0.stages.figures.fields) }, totals: totals.fields)
        }
        return csv.text(
            rows: comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) },
            totals: totals.fields + comparison.totals.previousFields)
    }
}
