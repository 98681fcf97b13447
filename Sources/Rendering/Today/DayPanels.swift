internal import Access
internal import DeliveryModel
internal import Instants
package import Reports
internal import Wording

/// An app's day so far as parts of a screen, for `landfall` and `landfall watch`.
package struct DayPanels {
    let day: AppToday
    let style: OutputStyle

    package init(_ day: AppToday, _ style: OutputStyle) {
        self.day = day
        self.style = style
    }

    var totals: MeasureCounts { day.today.totals }

    /// `09:15`
    func clock(_ instant: Instant) -> String {
        String(
            LocalTime(instant, utcOffsetMinutes: day.timeZone.utcOffsetMinutes(at: instant)).clock
                .dropFirst(11).prefix(5))
    }

    typealias Stage = (measure: Measure, whole: Measure?, ink: Ink, count: KeyPath<QuarterCounts, Int64>)

    /// The stages in order, each with the one that it is a share of.
    static var stages: [Stage] {
        [
            (.attempted, nil, .attempted, \.attempted), (.accepted, .attempted, .accepted, \.accepted),
            (.confirmed, .accepted, .confirmed, \.confirmed), (.clicked, .confirmed, .clicked, \.clicked),
        ]
    }

    package var funnel: Panel {
        let until = clock(day.yesterday.frame.query.window.to)
        return Panel("Today", note: "compared with yesterday until \(until)", leastLines: 5) { width in
            funnelTable.lines(width: width, style)
                + (caveat + [unmatched]).map { $0.cut(to: width, style) }
        }
    }

    private var funnelTable: FittedTable {
        let since = day.lastHour.first.map { "Since \(clock($0.quarter))" } ?? ""
        var table = FittedTable([
            .init("", .text), .init("of attempted", .bar, rank: 4), .init("So far"),
            .init("", .text, rank: 5),
            .init("Yesterday", rank: 2), .init("Change", rank: 1), .init(since, rank: 6),
        ])
        table.rows = Self.stages.map { stage in
            let count = totals[stage.measure]
            let before = day.yesterday.totals[stage.measure]
            let fraction = totals[.attempted] > 0 ? Double(count) / Double(totals[.attempted]) : 0
            let share = stage.whole.flatMap { whole in
                Proportion(count, of: totals[whole]).value.map { value in
                    let mark = stage.measure == .clicked && !caveat.isEmpty ? " !" : ""
                    return "\(percent(value)) % of \(whole.rawValue)\(mark)"
                }
            }
            return [
                .text(stage.measure.rawValue), .bar(fraction, stage.ink), .text(grouped(count), .title),
                .text(share ?? "", .aside), .text(grouped(before)),
                .text(DayChange.text(from: before, to: count, style)),
                .text(grouped(day.lastHour.reduce(0) { $0 + $1[keyPath: stage.count] })),
            ]
        }
        return table
    }

    private var unmatched: StyledLine {
        let counts = day.today.unmatched
        let local = counts.local > 0 ? ", and \(grouped(counts.local)) local: shown by the app itself" : ""
        return StyledLine("unmatched  ")
            + StyledLine(grouped(counts.unmatched), counts.unmatched > 0 ? .caution : nil)
            + StyledLine("  no provider response (yet)\(local), in no other figure", .aside)
    }

    /// The reason why the share of clicks is marked; empty if it is not.
    private var caveat: [StyledLine] {
        Rate.clickThrough.caveat(in: totals).map { [StyledLine("clicked !  \($0)", .aside)] } ?? []
    }

    package var quarters: Panel {
        Panel("By quarter hour of sending", leastLines: 2) { width in
            let columns = max(1, min(day.quarters.count, width - 11))
            let shown = Array(day.quarters.suffix(columns))
            let first = shown.first.map { clock($0.quarter) } ?? ""
            let last = shown.last.map { clock($0.quarter) } ?? ""
            let room = max(1, columns - first.count - last.count)
            let axis = "           " + first + String(repeating: " ", count: room) + last
            return [
                line("attempted", shown.map(\.attempted), .attempted),
                line("clicked", shown.map(\.clicked), .clicked),
                line("confirmed", shown.map(\.confirmed), .confirmed),
                StyledLine(axis, .aside),
            ].map { $0.cut(to: width, style) }
        }
    }

    private func line(_ name: String, _ values: [Int64], _ ink: Ink) -> StyledLine {
        StyledLine(padded(name, to: 11)) + StyledLine(Sparkline.text(values, style), ink)
    }
}
