internal import Access
internal import Reports

extension DoctorPage {
    /// The findings as an HTML page, to be mailed. `style` must be the page's.
    var htmlPage: HTMLPage {
        var sections: [HTMLSection] = [.figures(figures)]
        for patient in report.patients {
            sections += patient.findings.map { HTMLSection.story(story($0, in: patient.app)) }
        }
        for patient in report.patients where !patient.isEmpty || patient.app == nil {
            sections.append(.table(lookedAt(patient)))
        }
        return HTMLPage(
            title: "Doctor", subject: apps.joined(separator: ", "), headline: verdict,
            facts: [("examined", window)],
            sections: sections)
    }

    private var figures: [PageFigure] {
        let (problems, warnings) = (report.count(.problem), report.count(.warning))
        let judged = report.patients.flatMap(\.checkups).count { checkup in
            if case .judged = checkup.examined { return true }
            return false
        }
        let response =
            problems + warnings == 0
            ? [PageFigure(name: "verdict", value: well, detail: verdict, ink: verdictInk)]
            : [
                PageFigure(
                    name: "problems", value: "\(problems)",
                    detail: "losing notifications, tokens or numbers now",
                    ink: problems > 0 ? .trouble : nil),
                PageFigure(
                    name: "warnings", value: "\(warnings)", detail: "worth knowing",
                    ink: warnings > 0 ? .caution : nil),
            ]
        return response + [PageFigure(name: "examined", value: "\(judged)", detail: "with enough data")]
    }

    private var well: String { verdictInk == .confirmed ? "well" : "unclear" }

    private func story(_ finding: Finding, in app: App?) -> PageStory {
        let app = report.patients.count { $0.app != nil } > 1 ? app.map { " · \($0.slug)" } ?? "" : ""
        return PageStory(finding, app: app)
    }

    /// The same lines as in a terminal, as a table.
    private func lookedAt(_ patient: DoctorReport.Patient) -> PageTable {
        let name =
            patient.app.map { apps.count > 1 ? "Examined · \($0.slug)" : "Examined" } ?? "The database"
        return PageTable(
            caption: name,
            columns: [
                .init(title: "Subject", isNumber: false, isKey: true),
                .init(title: "", isNumber: false, isKey: false),
                .init(title: "Amount", isNumber: false, isKey: false),
            ],
            rows: patient.checkups.map { checkup in
                let (mark, ink) = mark(of: checkup)
                return [
                    .init(text: checkup.subject, ink: nil), .init(text: mark, ink: ink),
                    .init(text: words(of: checkup), ink: .aside),
                ]
            })
    }
}
