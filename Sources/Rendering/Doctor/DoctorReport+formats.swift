internal import Access
internal import Instants
package import Reports

extension DoctorReport: RenderableReport {
    package static var rowsMember: String { "findings" }

    /// One line per finding.
    package var csv: CSVText {
        var text = CSVText(header: [
            "app", "id", "severity", "sentence", "meaning", "remedy", "command", "as_of",
        ])
        for (app, finding) in ranked {
            text.append([
                .text(app?.slug ?? ""), .text(finding.id.rawValue), .text(finding.severity.rawValue),
                .text(finding.sentence), .text(finding.meaning), .text(finding.remedy),
                .text(finding.commandLine), .text(asOf.rfc3339),
            ])
        }
        return text
    }

    package var htmlPage: HTMLPage { DoctorPage(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { DoctorPage(self, style).lines }
}
