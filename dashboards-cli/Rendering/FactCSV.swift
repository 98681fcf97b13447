internal import DeliveryModel
internal import Reports

enum RejectionsCSV {
    /// One line per key and answer.
    static func text(of report: RejectionsReport) -> CSVText {
        let csv = ReportCSV(
            frame: report.frame,
            columns: ["provider", "status", "reason", "class", "rejected", "attempted"]
                + Proportion.columns("share") + ["retryable", "token_verdict", "advice"])
        return csv.text(rows: report.rows.map { ($0.key, fields($0)) }, totals: [])
    }

    private static func fields(_ row: RejectionsReport.Row) -> [CSVField] {
        let answer = row.answer
        let words: [CSVField] = [
            .text(answer.provider), .text(answer.status.map(String.init) ?? ""), .text(answer.reason ?? ""),
            .text(answer.rejectionClass.rawValue),
        ]
        return words + [.integer(row.rejected), .integer(row.share.denominator)] + row.share.fields
            + [.text(answer.retry.rawValue), .text(answer.tokenVerdict.rawValue), .text(answer.advice)]
    }
}

enum LatencyCSV {
    /// Both stages stand in one line: `arrival_p50_ms`. Without any notification a quantile is empty.
    static func text(of report: LatencyReport) -> CSVText {
        let columns = LatencyStage.allCases.flatMap { stage in
            (["count"] + LatencyQuantile.allCases.map(\.rawValue)).map { "\(stage.rawValue)_\($0)" }
        }
        return ReportCSV(frame: report.frame, columns: columns)
            .text(rows: report.rows.map { ($0.key, fields($0.stages)) }, totals: fields(report.totals))
    }

    private static func fields(_ stages: LatencyReport.Stages) -> [CSVField] {
        LatencyStage.allCases.flatMap { stage -> [CSVField] in
            let histogram = stages[stage]
            let quantiles = LatencyQuantile.allCases.map { histogram.quantile($0.share)?.milliseconds }
            return [.integer(histogram.count)] + quantiles.map { $0.map(CSVField.integer) ?? .text("") }
        }
    }
}
