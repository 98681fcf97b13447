internal import DeliveryModel
package import Reports

extension RejectionsReport: RenderableReport {
    /// One line per key and response.
    package var csv: CSVText {
        let csv = ReportCSV(
            frame: frame,
            columns: ["provider", "status", "reason", "class", "rejected", "attempted"]
                + Proportion.columns("share") + ["retryable", "token_verdict", "advice"])
        return csv.text(rows: rows.map { ($0.key, Self.fields($0)) }, totals: [])
    }

    private static func fields(_ row: Row) -> [CSVField] {
        let response = row.response
        let words: [CSVField] = [
            .text(response.provider), .text(String(response.status)), .text(response.reason ?? ""),
            .text(response.rejectionClass.rawValue),
        ]
        return words + [.integer(row.rejected), .integer(row.share.denominator)] + row.share.fields
            + [.text(response.retry.rawValue), .text(response.tokenVerdict.rawValue), .text(response.advice)]
    }

    package var htmlPage: HTMLPage { RejectionsTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { RejectionsTable(self, style).lines }
}
