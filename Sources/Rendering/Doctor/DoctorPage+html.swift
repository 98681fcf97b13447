internal import Access
package import Reports

extension DoctorPage {
    /// The findings as an HTML page, to be mailed. `style` must be the page's.
    var htmlPage: HTMLPage { htmlPage(muted: []) { _ in nil } }

    /// - Parameters:
    ///   - muted: findings of apps that the page counts but does not show.
    ///   - muting: the address of the page that mutes a finding of an app; `nil` if there is none.
    package func htmlPage(muted: Set<Finding.ID>, muting: (Finding.ID) -> String?) -> HTMLPage {
        let shown = report.without(muted)
        let hidden = report.findings.count - shown.findings.count
        var sections: [HTMLSection] = [.figures(figures)]
        sections += shown.ranked.map { app, finding in
            var story = PageStory(finding, app: namesApps ? app.map { " · \($0.slug)" } ?? "" : "")
            if app != nil, let place = muting(finding.id) { story.act = ("Mute…", place) }
            return HTMLSection.story(story)
        }
        if hidden > 0 { sections.append(.note("\(DoctorReport.mutedWords(hidden)), and listed below.")) }
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

    /// A table of the lines that a terminal shows.
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

extension DoctorReport {
    /// `1 finding is muted`.
    package static func mutedWords(_ count: Int) -> String {
        "\(grouped(Int64(count))) \(count == 1 ? "finding is" : "findings are") muted"
    }
}
