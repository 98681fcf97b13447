internal import DeliveryModel
internal import Reports

/// `landfall rejections` as text: classes with bars, a table of responses, and what to do about each.
struct RejectionsTable {
    let report: RejectionsReport
    let style: OutputStyle

    init(_ report: RejectionsReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) + adviceLines }

    var page: ReportPage {
        var page = ReportPage(
            frame: report.frame, title: "Rejections", pictures: [.rejections(report.totals)],
            remarks: remarks, table: table)
        page.comparison = ComparisonTable(
            report.comparison, report.frame.query, inRows: ["attempted", "rejected"], style)
        return page
    }

    private var remarks: [Remark] {
        [
            Remark(
                name: "attempted", value: grouped(report.totals[.attempted]),
                meaning: "shares below are of those with the same \(keyWords)")
        ] + everywhere.map { Remark(name: $0.dimension.words, value: $0.text, meaning: "in all rows") }
            + Remark.unmatched(report.unmatched)
    }

    private var keyWords: String { report.frame.query.by.map(\.words).joined(separator: ", ") }

    /// The parts of the key that all rows share. They are a remark instead of a column.
    private var everywhere: [RowKey.Part] {
        guard let first = report.rows.first, report.rows.count > 1 else { return [] }
        return first.key.parts.enumerated().filter { position, part in
            report.rows.allSatisfy { $0.key.parts[position] == part }
        }.map(\.element)
    }

    private var table: TextTable {
        let hidden = Set(everywhere.map(\.dimension))
        let shown = report.frame.query.by.filter { !hidden.contains($0) }
        var table = TextTable(
            [.init("Response", isNumber: false, group: 0, isName: true)] + Dimension.columns(shown) + [
                .init(bar: "of largest", group: 1), .init("Rejected", group: 1), .init("Share", group: 1),
                .init("Class", isNumber: false, group: 1),
            ])
        let largest = report.rows.map(\.rejected).max() ?? 0
        table.rows = report.rows.map { row in
            let key = RowKey(row.key.parts.filter { !hidden.contains($0.dimension) })
            let bar = TextTable.Cell.bar(row.rejected, of: largest, .trouble, style)
            return [.init(row.response.words)] + key.cells() + [
                bar, .init(grouped(row.rejected)), .rate(row.share, style),
                .init(row.response.rejectionClass.rawValue, .aside),
            ]
        }
        return table
    }

    /// One sentence for all responses with the same remedy, the most frequent first.
    var advice: [(responses: [String], sentence: String)] {
        var responses: [String: [String]] = [:]
        var counts: [String: Int64] = [:]
        for row in report.rows {
            let sentence = row.response.advice
            counts[sentence, default: 0] += row.rejected
            if responses[sentence]?.contains(row.response.words) != true {
                responses[sentence, default: []].append(row.response.words)
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (responses[$0.key] ?? [], $0.key) }
    }

    private var adviceLines: [String] {
        guard !advice.isEmpty else { return [] }
        return ["", style.paint("What to do", .title)]
            + advice.flatMap { advice in
                folded(printable(advice.responses.joined(separator: ", ")), indentation: 2, style)
                    + folded(advice.sentence, indentation: 6, style).map { style.paint($0, .aside) }
            }
    }
}
