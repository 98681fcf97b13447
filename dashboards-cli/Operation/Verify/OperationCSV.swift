internal import Access
internal import Instants
internal import Reports

enum TokenStatusCSV {
    static func text(of report: TokenStatusReport) -> CSVText {
        var text = CSVText(header: ["state", "kind", "environment", "tokens", "app", "unit", "as_of"])
        for row in report.rows {
            text.append([
                .text(row.state), .text(row.kind), .text(row.environment), .integer(row.tokens),
                .text(report.app.slug), .text("tokens"), .text(report.asOf.rfc3339),
            ])
        }
        return text
    }
}

/// One line per difference; only the header if there is none.
enum VerificationCSV {
    static func text(of verification: Verification, names: Verification.Names) -> CSVText {
        var text = CSVText(
            header: [
                "table", "app", "quarter", "campaign", "segment_id", "answer", "stage", "bucket", "version",
                "measure", "counted", "recorded",
            ])
        for difference in verification.differences {
            text.append([
                .text(difference.table), .text(names.app(of: difference)),
                .text(difference.quarter?.rfc3339 ?? ""),
                .text(names.campaign(of: difference)), .text(difference.segmentID.map(String.init) ?? ""),
                .text(names.response(of: difference) ?? ""), .text(difference.part?.stage ?? ""),
                .text(difference.part?.bucket.map(String.init) ?? ""), .text(difference.part?.version ?? ""),
                .text(difference.measure), .integer(difference.counted), .integer(difference.recorded),
            ])
        }
        return text
    }
}
