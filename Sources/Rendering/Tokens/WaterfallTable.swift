internal import Access
internal import DeliveryModel
internal import Instants
internal import Reports
internal import Wording

/// `landfall tokens waterfall` as text: the whole window as a picture, and a table by day or week.
struct WaterfallTable {
    let report: TokenWaterfall
    let style: OutputStyle

    init(_ report: TokenWaterfall, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        let picture = WaterfallPicture(report.total)
        var lines = heading(picture) + [""] + picture.lines(style) + [""]
        lines += Remark.lines(remarks, style, nameWidth: 10)
        if !report.periods.isEmpty { lines += [""] + table.lines(style) }
        return lines
    }

    private func heading(_ picture: WaterfallPicture) -> [String] {
        let axis: [HTMLPage.Fact] =
            picture.axis > 0 ? [("picture", "begins at \(grouped(picture.axis)), not at 0")] : []
        return [style.paint("Waterfall \(style.dot) \(printable(report.app.slug))", .title)]
            + (facts + axis).flatMap { headingLines($0.name, $0.text, style) }
    }

    var facts: [HTMLPage.Fact] {
        let window = report.window
        let span = "\(local(window.from)) \(style.arrow) \(local(window.to)), \(window.timeZone.name)"
        let unit =
            report.unit == .installations
            ? "installations, by the best token each holds that shows notifications"
            : "tokens of kinds that show notifications"
        var facts: [HTMLPage.Fact] = [
            ("window", span), ("counted", "\(unit); the active ones, exact, from the ledger"),
        ]
        if let cut { facts.insert(("", cut), at: 1) }
        return facts
    }

    /// The incomplete days or weeks, which cannot be compared with others; the current one is among them.
    private var cut: String? {
        guard let by = report.window.by, !report.window.cutPeriods.isEmpty else { return nil }
        let names = report.window.cutPeriods.map { "\(by.rawValue) \($0)" }
        return "cut short: " + names.joined(separator: ", ")
    }

    /// The local time with its offset, because one hour occurs twice in autumn.
    private func local(_ instant: Instant) -> String {
        LocalTime(instant, utcOffsetMinutes: report.window.timeZone.utcOffsetMinutes(at: instant))
            .toTheMinuteWithOffset
    }

    var remarks: [Remark] {
        let total = report.total
        let start = total.start[.active]
        let others = [TokenState.suspect, .stale, .retired].map { state in
            Remark(
                name: state.rawValue, value: grouped(total.end[state]),
                meaning: "at the end; \(signed(total.end[state] - total.start[state])) since the start")
        }
        return [
            Remark(
                name: "net", value: signed(total.net),
                meaning: start > 0
                    ? "\(percent(Double(abs(total.net)) / Double(start))) % of what was active at the start"
                    : "nothing was active at the start")
        ] + others + failures
    }

    private var failures: [Remark] {
        guard let count = report.total.registrationFailures, count > 0 else { return [] }
        return [
            Remark(
                name: "no token", value: grouped(count),
                meaning:
                    "\(count == 1 ? "installation" : "installations") to which the system gave no token; in no other number"
            )
        ]
    }

    private func signed(_ count: Int64) -> String { (count > 0 ? "+" : "") + grouped(count) }

    /// Flows that never occurred have no column.
    private var flows: [ActiveFlow] {
        let occurred = Set(report.total.flows.keys)
        return ActiveFlow.inOrder(occurred).filter(occurred.contains)
    }

    var table: TextTable {
        var table = TextTable(
            [
                .init(report.window.by == .week ? "Week of" : "Day", isNumber: false, group: 0),
                .init("Start", group: 1),
            ] + flows.map { .init($0.title.prefix(1).uppercased() + $0.title.dropFirst(), group: 1) } + [
                .init("Net", group: 1), .init("End", group: 1), .init(bar: "End, of largest", group: 2),
            ])
        let largest = report.periods.map { $0.end[.active] }.max() ?? 0
        table.rows = report.periods.map { period in
            let bar = TextTable.Cell.bar(period.end[.active], of: largest, .confirmed, width: 16, style)
            return [.init(period.name ?? "")] + cells(period) + [bar]
        }
        table.totals = [.init("Total", .title)] + cells(report.total) + [""]
        return table
    }

    private func cells(_ period: TokenWaterfall.Period) -> [TextTable.Cell] {
        let flows = flows.map { flow -> TextTable.Cell in
            guard let count = period.flows[flow] else { return .init(style.nothing, .aside) }
            return .init((flow.isGain ? "+" : "-") + grouped(count))
        }
        let net = TextTable.Cell(
            signed(period.net), period.net < 0 ? .trouble : period.net > 0 ? .confirmed : nil)
        return [.init(grouped(period.start[.active]))] + flows + [net, .init(grouped(period.end[.active]))]
    }
}
