internal import DeliveryModel
package import Reports

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
        var table = FittedTable([
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
            var table = FittedTable([
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

    private func breaker(_ breaker: TokenHealth.Breaker) -> StyledLine {
        let place = [breaker.environment, breaker.topic].filter { !$0.isEmpty }.joined(separator: " ")
        return StyledLine(
            "breaker open since \(clock(breaker.openedAt)), \(place): \(grouped(breaker.heldTokens)) tokens held",
            .trouble)
    }
}
