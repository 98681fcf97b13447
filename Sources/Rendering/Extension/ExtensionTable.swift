internal import DeliveryModel
internal import Instants
internal import Reports
internal import Wording

/// `landfall extension` as text.
struct ExtensionTable {
    let report: ExtensionReport
    let style: OutputStyle

    init(_ report: ExtensionReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        var lines = ReportHeading(frame: report.frame, title: "Extension").lines(style)
        lines +=
            [""] + (report.rows.isEmpty ? ["  Nothing was accepted in this window."] : table.lines(style))
        lines += [""] + Remark.lines(remarks, style, nameWidth: 14)
        for section in CompletenessLine.sections(report.completeness, style) { lines += [""] + section }
        return lines
    }

    var table: TextTable {
        var table = TextTable(
            [
                .init("Platform", isNumber: false, group: 0),
                .init("App", isNumber: false, group: 0, isName: true),
                .init("System", isNumber: false, group: 0),
                .init(bar: "of reportable", group: 1, isRate: true),
                .init("Reportable", group: 1), .init("Arrived", group: 1), .init("Arrival", group: 1),
                .init("Lost receipts", group: 2), .init("Of sightings", group: 2), .init("Share", group: 2),
                .init("Last reported", isNumber: false, group: 3), .init("Health", isNumber: false, group: 3),
            ] + (showsKits ? [.init("Kit", isNumber: false, group: 3)] : []))
        table.rows = report.rows.map { row in
            let bar = TextTable.Cell.bar(row.arrival.value ?? 0, .confirmed, style)
            let last: [TextTable.Cell] =
                [
                    .init(
                        row.lastReportedAt.map(local) ?? style.nothing,
                        row.lastReportedAt == nil ? .aside : nil),
                    .init(row.health.title, row.health.ink),
                ] + (showsKits ? [kits(row.runs)] : [])
            return row.key.cells() + [bar] + cells(row.counts) + last
        }
        let first: [TextTable.Cell] = [.init("Total", .title), "", "", ""]
        let last = [TextTable.Cell](repeating: "", count: showsKits ? 3 : 2)
        table.totals = first + cells(report.totals) + last
        return table
    }

    private var showsKits: Bool { report.rows.contains { !$0.runs.kits.isEmpty } }

    private func kits(_ runs: ExtensionRuns) -> TextTable.Cell {
        guard let newest = runs.kits.first else { return .init(style.nothing, .aside) }
        return .init(
            runs.kits.count == 1 ? printable(newest) : "\(printable(newest)) and \(runs.kits.count - 1) more")
    }

    private func cells(_ counts: MeasureCounts) -> [TextTable.Cell] {
        let lost = Rate.receiptLoss.proportion(in: counts)
        return [
            .init(grouped(counts[.reportable])), .init(grouped(counts[.arrivedReportable])),
            .rate(.arrival, in: counts, style, .confirmed),
            .init(grouped(lost.numerator)), .init(grouped(lost.denominator)), .rate(lost, style),
        ]
    }

    private func local(_ instant: Instant) -> String {
        LocalTime(instant, utcOffsetMinutes: report.frame.query.timeZone.utcOffsetMinutes(at: instant))
            .toTheMinute
    }

    var remarks: [Remark] {
        func count(_ health: ExtensionReport.Health) -> Int64 {
            report.rows.filter { $0.health == health }.reduce(0) { $0 + $1.counts[.reportable] }
        }
        func remark(_ health: ExtensionReport.Health, _ meaning: String) -> Remark {
            Remark(name: health.title, value: grouped(count(health)), meaning: "reportable, " + meaning)
        }
        return [
            remark(.neverReports, "to versions of the app without an extension that reports"),
            remark(.silent, "to versions that reported before, but nothing in this window or at present"),
        ]
            + (count(.reportsLess) > 0
                ? [remark(.reportsLess, "to versions that report less than before (landfall doctor)")] : [])
            + (count(.unknownVersion) > 0
                ? [remark(.unknownVersion, "to an unknown version, and not reported")]
                : [])
            + (count(.tooFew) > 0
                ? [remark(.tooFew, "fewer than 50 to each version: too few to judge")] : [])
            + runs(\.expired, "expired", "extension runs that the system ended after 30 seconds")
            + runs(\.attachmentsFailed, "no attachment", "extension runs that could not load the attachment")
    }

    /// No remark if there is none.
    private func runs(
        _ count: KeyPath<ExtensionRuns, Int64?>, _ name: String, _ meaning: String
    ) -> [Remark] {
        let sum = report.rows.reduce(0) { $0 + ($1.runs[keyPath: count] ?? 0) }
        return sum > 0 ? [Remark(name: name, value: grouped(sum), meaning: meaning)] : []
    }
}

extension ExtensionReport.Health {
    var title: String {
        switch self {
        case .reports: "reports"
        case .reportsLess: "reports less"
        case .silent: "silent"
        case .neverReports: "never reports"
        case .unknownVersion: "unknown"
        case .tooFew: "too few"
        case .notAsked: "nothing to report"
        }
    }

    fileprivate var ink: Ink? {
        switch self {
        case .reports: .confirmed
        case .reportsLess, .silent, .neverReports: .trouble
        case .tooFew: nil
        case .unknownVersion, .notAsked: .aside
        }
    }
}
