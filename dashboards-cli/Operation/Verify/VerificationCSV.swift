internal import Instants
internal import Rendering
internal import Reports

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
