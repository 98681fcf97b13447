internal import Instants
internal import Rendering
internal import Reports
internal import Simulation
internal import Wording

/// The truth about a simulation, as text.
struct TruthTable {
    let truth: SimulatedTruth
    let style: OutputStyle

    init(_ truth: SimulatedTruth, _ style: OutputStyle) {
        self.truth = truth
        self.style = style
    }

    private static let nameWidth = 13

    var lines: [String] {
        heading + [""] + table.lines(style) + [""] + Remark.lines(remarks, style, nameWidth: Self.nameWidth)
    }

    private var heading: [String] {
        let window = "\(text(truth.windowStart)) \(style.arrow) \(text(truth.windowEnd)), UTC"
        return [style.paint("What really happened", .title)] + headingLines("window", window, style)
    }

    private func text(_ milliseconds: Int64) -> String {
        LocalTime(Instant(millisecondsSinceEpoch: milliseconds), utcOffsetMinutes: 0).toTheMinuteWithOffset
    }

    private var table: TextTable {
        var table = TextTable([
            .init("Campaign", isNumber: false, group: 0),
            .init("Attempted", group: 1), .init("Accepted", group: 1), .init("Rejected", group: 1),
            .init("Reportable", group: 2), .init("Arrived", group: 2), .init("Confirmed", group: 2),
            .init("Presented", group: 3), .init("Clicked", group: 3), .init("Dismissed", group: 3),
        ])
        table.rows = truth.campaigns.map { [.init($0.key ?? "(none)")] + cells($0.counts) }
        table.totals = [.init("Total", .title)] + cells(truth.totals)
        return table
    }

    private func cells(_ counts: SimulatedCounts) -> [TextTable.Cell] {
        [
            counts.attempted, counts.accepted, counts.rejectedTotal, counts.reportable, counts.arrived,
            counts.confirmed, counts.presented, counts.clicked, counts.dismissed,
        ].map { .init(grouped(Int64($0))) }
    }

    private var remarks: [Remark] {
        let installations = truth.installations
        let tokens = truth.tokens.total
        return [
            remark("unmatched", truth.unmatched, "device events, but never a provider response"),
            remark(
                "contradicted", truth.totals.contradicted,
                "seen on a device, although every response was a rejection"),
            remark(
                "lost receipts", truth.totals.confirmedUnreported,
                "confirmed another way, not reported by the extension"),
            remark(
                "installations", installations.registered,
                "registered; \(installations.targeted) targeted, \(installations.reached) reached, "
                    + "\(installations.engaged) engaged"),
            remark(
                "tokens", tokens.active + tokens.suspect + tokens.retired,
                "\(tokens.active) active, \(tokens.suspect) suspect, \(tokens.retired) retired"),
        ]
    }

    private func remark(_ name: String, _ count: Int, _ meaning: String) -> Remark {
        Remark(name: name, value: grouped(Int64(count)), meaning: meaning)
    }
}

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
