internal import Access
internal import DeliveryModel
internal import Instants
internal import Rendering
internal import Reports
internal import Wording

/// `landfall tokens zombies` as text.
struct ZombieTable {
    let report: ZombieReport
    let style: OutputStyle

    init(_ report: ZombieReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        let heading =
            [style.paint("Zombies \(style.dot) \(printable(report.app.slug))", .title)]
            + facts.flatMap { headingLines($0.name, $0.text, style) } + [""]
        let tables = report.builds.isEmpty ? ["  \(nobody)"] : builds.lines(style)
        let listed = installations.rows.isEmpty ? [] : [""] + installations.lines(style)
        return heading + tables + listed + [""] + Remark.lines(remarks, style, nameWidth: 10)
    }

    var facts: [HTMLPage.Fact] {
        let rules = report.rules
        let asOf = report.asOf.utcMinuteWithOffset
        let share = "\(percent(rules.reportingShare)) %"
        return [
            ("window", "the \(rules.days) days before \(asOf)"),
            (
                "zombie",
                "\(style.atLeast) \(rules.pushes) accepted pushes over \(style.atLeast) \(rules.spreadDays) days, no sign of life, while "
                    + "\(style.atLeast) \(share) of its build report"
            ),
            ("counted", "installations, exact"),
        ]
    }

    /// Shown if there are no builds.
    var nobody: String { "No installation was sent \(report.rules.pushes) pushes in this window." }

    var builds: TextTable {
        var table = TextTable([
            .init("Build", isNumber: false, group: 0, isName: true), .init("Judged", group: 1),
            .init("Reporting", group: 1), .init("Share", group: 1), .init(bar: "of largest", group: 2),
            .init("Zombies", group: 2), .init("Duplicates", group: 2),
        ])
        let largest = report.builds.map(\.zombies).max() ?? 0
        table.rows = report.builds.map { build in
            [
                .init(build.name), .init(grouped(build.judged)), .init(grouped(build.reporting)),
                .init(
                    build.share.value.map { "\(percent($0)) %" } ?? style.nothing,
                    build.isReporting ? nil : .aside),
                .bar(build.zombies, of: largest, .trouble, width: 16, style),
                .init(
                    build.isReporting ? grouped(build.zombies) : "silent", build.isReporting ? nil : .aside),
                .init(build.isReporting ? grouped(build.duplicates) : style.nothing),
            ]
        }
        return table
    }

    var installations: TextTable { report.listed.table(report.rows, style) }

    var remarks: [Remark] {
        let inflation = report.inflation
        return [
            Remark(
                "zombies", report.zombies,
                inflation.value.map { "\(percent($0)) % of the audience of \(grouped(report.audience))" }
                    ?? "there is no audience"),
            Remark(
                "duplicates", report.duplicates,
                "of these: another installation of the same account and model reports"),
        ]
    }
}

extension ZombieReport.Build {
    /// `ios 7.2.0`.
    var name: String {
        let words = [platform, appVersion].filter { !$0.isEmpty }
        return words.isEmpty ? "(unknown)" : words.joined(separator: " ")
    }
}
