internal import Rendering
internal import Reports

/// A comparison of reports and truth as text: a line per group, and a table of the differences.
struct TruthCheckTable {
    let check: TruthCheck
    let style: OutputStyle

    /// Lines in the table of differences; the rest is only counted.
    private static let longest = 100
    private static let nameWidth = 12

    init(_ check: TruthCheck, _ style: OutputStyle) {
        self.check = check
        self.style = style
    }

    var lines: [String] {
        let differences = check.groups.flatMap { group in group.differences.map { (group.name, $0) } }
        let summary = check.groups.map(line)
        guard !differences.isEmpty else { return summary }
        return summary + [""] + table(differences.prefix(Self.longest)).lines(style)
            + unlisted(differences.count - Self.longest)
    }

    private func line(_ group: TruthCheck.Group) -> String {
        let compared = "\(grouped(Int64(group.comparisons.count))) numbers compared"
        let differing = group.differences.count
        let verdict =
            differing == 0
            ? style.paint("all equal", .confirmed)
            : style.paint("\(grouped(Int64(differing))) differ", .trouble)
        return "  \(padded(group.name, to: Self.nameWidth))  \(padded(compared, to: 24))  \(verdict)"
    }

    private func table(_ differences: ArraySlice<(String, TruthCheck.Comparison)>) -> TextTable {
        var table = TextTable([
            .init("Compared", isNumber: false, group: 0), .init("Of", isNumber: false, group: 0),
            .init("Measure", isNumber: false, group: 0),
            .init("Really", group: 1), .init("Reported", group: 1), .init("Off by", group: 1),
        ])
        table.rows = differences.map { group, comparison in
            let offBy = comparison.reported - comparison.really
            return [
                .init(group), .init(comparison.place), .init(comparison.measure),
                .init(grouped(comparison.really)),
                .init(grouped(comparison.reported)), .init((offBy > 0 ? "+" : "") + grouped(offBy), .trouble),
            ]
        }
        return table
    }

    private func unlisted(_ count: Int) -> [String] {
        count > 0 ? [style.paint("and \(grouped(Int64(count))) more", .aside)] : []
    }
}
