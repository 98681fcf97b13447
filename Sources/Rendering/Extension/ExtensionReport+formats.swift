internal import DeliveryModel
package import Reports

extension ExtensionReport: RenderableReport {
    /// One line per platform, app version and OS version.
    package var csv: CSVText {
        let measures: [Measure] = [
            .accepted, .reportable, .arrivedReportable, .confirmedUnreported, .respondedReportable,
        ]
        let zone = frame.query.timeZone
        let columns =
            measures.map(\.rawValue) + Proportion.columns("arrival") + Proportion.columns("receipt_loss") + [
                "health", "last_reported_at", "kits", "expired", "attachment_failed",
            ]
        let csv = ReportCSV(frame: frame, key: Self.dimensions.map(\.rawValue), columns: columns)
        return csv.text(
            rows: rows.map { row in
                let counts: [CSVField] = measures.map { .integer(row.counts[$0]) }
                let health: [CSVField] = [
                    .text(row.health.rawValue), .text(row.lastReportedAt.map(zone.rfc3339) ?? ""),
                ]
                let runs: [CSVField] =
                    [.text(row.runs.kits.joined(separator: " "))]
                    + [row.runs.expired, row.runs.attachmentsFailed].map {
                        $0.map { .integer($0) } ?? .text("")
                    }
                return (row.key, counts + row.arrival.fields + row.receiptLoss.fields + health + runs)
            }, totals: [])
    }

    package var htmlPage: HTMLPage { ExtensionTable(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { ExtensionTable(self, style).lines }
}
