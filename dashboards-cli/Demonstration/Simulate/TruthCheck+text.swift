internal import Basics
internal import Rendering
internal import Reports
internal import Simulation

extension SimulatedTruth {
    func lines(_ style: OutputStyle) -> [String] {
        let window = "\(Self.text(windowStart)) \(style.arrow) \(Self.text(windowEnd)), UTC"
        return [style.paint("What really happened", .title)] + headingLines("window", window, style) + [""]
            + table.lines(style) + [""] + Remark.lines(remarks, style, nameWidth: 13)
    }

    private static func text(_ milliseconds: Int64) -> String {
        Instant(millisecondsSinceEpoch: milliseconds).utcMinuteWithOffset
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Campaign", isNumber: false, group: 0),
            .init("Attempted", group: 1), .init("Accepted", group: 1), .init("Rejected", group: 1),
            .init("Reportable", group: 2), .init("Arrived", group: 2), .init("Confirmed", group: 2),
            .init("Presented", group: 3), .init("Clicked", group: 3), .init("Dismissed", group: 3),
        ])
        table.rows = campaigns.map { [.init($0.key ?? "(none)")] + Self.cells($0.counts) }
        table.totals = [.init("Total", .title)] + Self.cells(totals)
        return table
    }

    private static func cells(_ counts: SimulatedCounts) -> [TextTable.Cell] {
        [
            counts.attempted, counts.accepted, counts.rejectedTotal, counts.reportable, counts.arrived,
            counts.confirmed, counts.presented, counts.clicked, counts.dismissed,
        ].map { .init(grouped(Int64($0))) }
    }

    private var remarks: [Remark] {
        let tokens = tokens.total
        return [
            Remark("unmatched", Int64(unmatched), "device events, but never a provider response"),
            Remark(
                "contradicted", Int64(totals.contradicted),
                "seen on a device, although every response was a rejection"),
            Remark(
                "lost receipts", Int64(totals.confirmedUnreported),
                "confirmed another way, not reported by the extension"),
            Remark(
                "installations", Int64(installations.registered),
                "registered; \(installations.targeted) targeted, \(installations.reached) reached, "
                    + "\(installations.engaged) engaged"),
            Remark(
                "tokens", Int64(tokens.active + tokens.suspect + tokens.retired),
                "\(tokens.active) active, \(tokens.suspect) suspect, \(tokens.retired) retired"),
        ]
    }
}

extension TruthCheck {
    /// A line per group, and a table of the differences.
    func lines(_ style: OutputStyle) -> [String] {
        let summary = groups.map { Self.line($0, style) }
        let differences = groups.flatMap { group -> [Difference] in
            group.differences.map { (group: group.name, comparison: $0) }
        }
        guard !differences.isEmpty else { return summary }
        let table = Self.columns.table(Array(differences.prefix(Self.longest)), style)
        let unlisted = Int64(differences.count - Self.longest)
        return summary + [""] + table.lines(style)
            + (unlisted > 0 ? [style.paint("and \(grouped(unlisted)) more", .aside)] : [])
    }

    private typealias Difference = (group: String, comparison: Comparison)

    /// Lines in the table of differences; the rest is only counted.
    private static let longest = 100

    private static func line(_ group: Group, _ style: OutputStyle) -> String {
        let compared = "\(grouped(Int64(group.comparisons.count))) numbers compared"
        let differing = group.differences.count
        let verdict =
            differing == 0
            ? style.paint("all equal", .confirmed)
            : style.paint("\(grouped(Int64(differing))) differ", .trouble)
        return "  \(padded(group.name, to: 12))  \(padded(compared, to: 24))  \(verdict)"
    }

    private static var columns: Listing<Difference> {
        Listing(
            .text("group", "Compared", group: 0) { $0.group },
            .text("place", "Of", group: 0) { $0.comparison.place },
            .text("measure", "Measure", group: 0) { $0.comparison.measure },
            .count("really", "Really") { $0.comparison.really },
            .count("reported", "Reported") { $0.comparison.reported },
            .init(
                heading: TextTable.Column("Off by", group: 1),
                cell: { difference, _ in
                    let offBy = difference.comparison.reported - difference.comparison.really
                    return TextTable.Cell((offBy > 0 ? "+" : "") + grouped(offBy), .trouble)
                }))
    }
}
