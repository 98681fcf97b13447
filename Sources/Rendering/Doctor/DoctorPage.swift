internal import DeliveryModel
package import Doctor
internal import Reports

/// `landfall doctor` as text: the findings, the most severe first, and what was examined.
package struct DoctorPage {
    let report: DoctorReport
    let style: OutputStyle

    package init(_ report: DoctorReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    package var lines: [String] {
        let title = apps.isEmpty ? "Doctor" : "Doctor \(style.dot) \(apps.joined(separator: ", "))"
        return [style.paint(title, .title)] + headingLines("examined", window, style)
            + [""] + folded(verdict, to: style.width).map { style.paint($0, verdictInk) }
            + report.ranked.flatMap { [""] + lines(of: $0.finding, in: name(of: $0.patient)) }
            + (report.isEmpty ? [] : report.patients.flatMap(examined))
    }

    /// Whether several apps are examined.
    var namesApps: Bool { apps.count > 1 }

    /// The app, if several are examined, or the cell whose database it is, if there are several.
    private func name(of patient: DoctorReport.Patient) -> String? {
        guard let app = patient.app else { return patient.cell.map { "cell \($0)" } }
        return namesApps ? app.slug : nil
    }

    var apps: [String] { report.patients.compactMap { $0.app.map { printable($0.slug) } } }

    var window: String {
        let asOf = LocalTime(report.asOf, utcOffsetMinutes: 0).toTheMinuteWithOffset
        return "the last \(report.hours == 1 ? "hour" : "\(report.hours) hours") before \(asOf)"
    }

    var verdictInk: Ink {
        if report.count(.problem) > 0 { return .trouble }
        let isUnclear = report.count(.warning) > 0 || report.isEmpty || isUnjudged
        return isUnclear ? .caution : .confirmed
    }

    /// Whether no app had enough data to be judged.
    private var isUnjudged: Bool {
        report.unjudged.count == report.patients.count { $0.app != nil && !$0.isEmpty }
    }

    /// The result in one sentence.
    var verdict: String {
        let counts = [(report.count(.problem), "problem"), (report.count(.warning), "warning")]
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        if !counts.isEmpty { return counts.joined(separator: ", ") }
        guard report.isEmpty else {
            if isUnjudged { return "Too little has been sent recently to tell whether all is well." }
            guard !report.unjudged.isEmpty else { return "All is well." }
            let names = report.unjudged.map { printable($0.slug) }.joined(separator: ", ")
            return "All is well as far as can be judged; there is too little data for \(names)."
        }
        return report.patients.isEmpty
            ? "Nothing to examine: there is no app yet. landfall app create SLUG creates one."
            : "Nothing to examine: nothing was sent or received. landfall simulate posts simulated traffic."
    }

    // MARK: - Findings

    /// - Parameter name: the app or the cell, if several are examined.
    package func lines(of finding: Finding, in name: String? = nil) -> [String] {
        let ink: Ink = finding.severity == .problem ? .trouble : .caution
        let app = name.map { " \(style.dot) \(printable($0))" } ?? ""
        let mark = finding.severity == .problem ? style.cross : "!"
        let heading = "\(mark) \(finding.severity.rawValue) \(style.dot) \(finding.id.rawValue)\(app)"
        return [style.paint(heading, ink)]
            + folded(printable(finding.sentence), indentation: 2, style)
            + note("means", finding.meaning) + note("do", finding.remedy)
            + ["  \(style.paint(padded("more", to: 6), .aside)) \(printable(finding.commandLine))"]
    }

    private func note(_ name: String, _ text: String) -> [String] {
        folded(printable(text), indentation: 9, style).enumerated().map { position, line in
            position == 0 ? "  \(style.paint(padded(name, to: 6), .aside)) \(line.dropFirst(9))" : line
        }
    }

    // MARK: - Examined subjects

    /// One line per subject: well, a problem or warning, or too little data.
    private func examined(_ patient: DoctorReport.Patient) -> [String] {
        guard patient.app == nil || !patient.isEmpty else { return [] }
        let width = report.patients.flatMap(\.checkups).map { displayWidth($0.subject) }.max() ?? 0
        let name = self.name(of: patient).map { " \(style.dot) \(printable($0))" } ?? ""
        let heading =
            patient.app == nil && name.isEmpty ? [] : ["", style.paint("Examined\(name)", .aside)]
        return heading
            + patient.checkups.map { checkup in
                let (mark, ink) = self.mark(of: checkup)
                let subject = padded(checkup.subject, to: width)
                let words = self.words(of: checkup)
                let line = "\(style.paint(mark, ink)) \(subject)  \(style.paint(words, .aside))"
                let fits = displayWidth("  \(mark) \(subject)  \(words)") <= style.width ?? .max
                return fits ? "  \(line)" : "  \(style.paint(mark, ink)) \(checkup.subject)"
            }
    }

    func mark(of checkup: Checkup) -> (String, Ink) {
        if checkup.findings.contains(where: { $0.severity == .problem }) { return (style.cross, .trouble) }
        if !checkup.findings.isEmpty { return ("!", .caution) }
        if case .judged = checkup.examined { return (style.tick, .confirmed) }
        return (style.nothing, .aside)
    }

    func words(of checkup: Checkup) -> String {
        switch checkup.examined {
        case .judged(let words): printable(words)
        case .tooLittle(let words): "too little to tell: \(printable(words))"
        case .neverDone: "never done"
        case .nothing: "no data"
        }
    }
}

extension OutputStyle {
    fileprivate var tick: String { usesUnicode ? "✓" : "+" }
    fileprivate var cross: String { usesUnicode ? "✗" : "x" }
}

extension DoctorReport: RenderableReport {
    package static var rowsMember: String { "findings" }

    /// One line per finding; the cell only if there are several.
    package var csv: CSVText {
        let columns = ["app", "id", "severity", "sentence", "meaning", "remedy", "command", "as_of"]
        var text = CSVText(header: patients.contains { $0.cell != nil } ? ["cell"] + columns : columns)
        for (patient, finding) in ranked {
            let cell = patient.cell.map { [CSVField.integer(Int64($0.number))] } ?? []
            let fields: [CSVField] = [
                .text(patient.app?.slug ?? ""), .text(finding.id.rawValue), .text(finding.severity.rawValue),
                .text(finding.sentence), .text(finding.meaning), .text(finding.remedy),
                .text(finding.commandLine), .text(asOf.rfc3339),
            ]
            text.append(cell + fields)
        }
        return text
    }

    package var htmlPage: HTMLPage { DoctorPage(self, .page).htmlPage }

    package func lines(_ style: OutputStyle) -> [String] { DoctorPage(self, style).lines }
}

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
        sections += shown.ranked.map { patient, finding in
            var story = PageStory(finding, app: name(of: patient).map { " · \($0)" } ?? "")
            if patient.app != nil, let place = muting(finding.id) { story.act = ("Mute…", place) }
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
            patient.app.map { apps.count > 1 ? "Examined · \($0.slug)" : "Examined" }
            ?? "The database" + (patient.cell.map { " of cell \($0)" } ?? "")
        return PageTable(
            caption: name,
            columns: [.init(title: "Subject", isKey: true), .init(title: ""), .init(title: "Amount")],
            rows: patient.checkups.map { checkup in
                let (mark, ink) = mark(of: checkup)
                return [
                    .init(text: checkup.subject), .init(text: mark, ink: ink),
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
