internal import DeliveryModel
package import Reports
internal import TokenLifecycle

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
        var table = FittedTable(columns: [
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
                .text(ChangeText.day(from: before, to: count, style)),
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

/// The panels for campaigns, rejections and tokens.
extension DayPanels {
    package func campaigns(limit: Int) -> Panel {
        let rows = day.today.rows
        let note = rows.count > limit ? "\(limit) of \(grouped(Int64(rows.count)))" : ""
        return Panel("Top campaigns today", note: note, leastLines: min(3, rows.count + 1)) { width in
            guard !rows.isEmpty else { return [StyledLine("none yet", .aside)] }
            return campaignTable(rows.prefix(limit)).lines(width: width, style)
        }
    }

    private func campaignTable(_ rows: ArraySlice<CountedRow>) -> FittedTable {
        var table = FittedTable(columns: [
            .init("Campaign", .name), .init("of largest", .bar, rank: 5), .init("Attempted"),
            .init("Accepted", rank: 4),
            .init("Confirmed", rank: 2), .init("Clicked", rank: 3), .init("Click-through", rank: 1),
        ])
        let largest = rows.map { $0.counts[.attempted] }.max() ?? 0
        table.rows = rows.map { row in
            let counts = row.counts
            let mark = Rate.clickThrough.caveat(in: counts) == nil ? "" : " !"
            let rate = Rate.clickThrough.proportion(in: counts).value.map { "\(percent($0)) %\(mark)" }
            let fraction = largest > 0 ? Double(counts[.attempted]) / Double(largest) : 0
            return [
                .text(row.key.parts.first?.text ?? ""), .bar(fraction, .attempted),
                .text(grouped(counts[.attempted])), .text(grouped(counts[.accepted])),
                .text(grouped(counts[.confirmed])), .text(grouped(counts[.clicked])),
                .text(rate ?? style.nothing, .clicked),
            ]
        }
        return table
    }

    package var rejections: Panel {
        let rejected = Proportion(totals.rejected, of: totals[.attempted])
        let share = rejected.value.map { ", \(percent($0)) % of attempted" } ?? ""
        let classes = totals.rejectionsByClass
        return Panel(
            "Rejected today", note: grouped(rejected.numerator) + share, leastLines: min(1, classes.count)
        ) { width in
            guard !classes.isEmpty else { return [StyledLine("none", .confirmed)] }
            var table = FittedTable(columns: [
                .init("", .text), .init("", .bar, rank: 3), .init(""), .init("", rank: 1),
            ])
            table.hasHeader = false
            table.rows = classes.map { item in
                let part = Proportion(item.count, of: rejected.numerator)
                return [
                    .text(item.name), .bar(part.value ?? 0, .trouble), .text(grouped(item.count)),
                    .text(part.value.map { "\(percent($0)) %" } ?? "", .aside),
                ]
            }
            return table.lines(width: width, style)
        }
    }

    package func tokens(_ health: TokenHealth) -> Panel {
        Panel("Tokens", note: "as of \(clock(health.asOf))", leastLines: 1) { width in
            var facts = health.breakers.map(breaker)
            facts.append(states(health.states))
            facts.append(
                StyledLine("audience ") + StyledLine(grouped(health.audience), .title)
                    + StyledLine(" installations could be shown a notification", .aside))
            if health.breakers.isEmpty {
                facts.append(StyledLine("no breaker is open: responses retire tokens as they arrive", .aside))
            }
            return facts.map { $0.cut(to: width, style) }
        }
    }

    private func states(_ states: StateCounts) -> StyledLine {
        let inks: [TokenState: Ink] = [.active: .confirmed, .retired: .aside]
        let parts = TokenState.allCases.map { state in
            StyledLine("\(state.rawValue) ") + StyledLine(grouped(states[state]), inks[state] ?? .caution)
        }
        return parts.dropFirst().reduce(parts.first ?? StyledLine()) {
            $0 + StyledLine(" \(style.dot) ", .aside) + $1
        }
    }

    private func breaker(_ breaker: HeldTokens.Group) -> StyledLine {
        let place = [breaker.environment, breaker.topic].filter { !$0.isEmpty }.joined(separator: " ")
        return StyledLine(
            "breaker open since \(clock(breaker.openedAt)), \(place): \(grouped(breaker.heldTokens)) tokens held",
            .trouble)
    }
}
