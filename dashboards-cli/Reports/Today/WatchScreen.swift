internal import DeliveryModel
internal import Rendering
internal import Reports

/// A screen of `landfall watch`: turns a state and a size into lines.
struct WatchScreen {
    let state: WatchState
    let style: OutputStyle

    /// The number of columns from which on panels are next to each other.
    private static let twoColumns = 120
    private static let gap = 4

    /// Returns exactly as many lines as the screen has rows, none wider than the screen.
    func lines(_ size: RawTerminal.Size) -> [String] {
        let width = size.columns
        let bodyHeight = max(0, size.rows - 4)
        let body = body(width: width, height: bodyHeight)
        let rest = [StyledLine](repeating: StyledLine(), count: max(0, bodyHeight - body.count))
        let lines = [title(width), StyledLine()] + body + rest + [StyledLine(), footer(width)]
        return lines.prefix(size.rows).map { $0.cut(to: width, style).text(style) }
    }

    private func title(_ width: Int) -> StyledLine {
        let offset = state.timeZone.utcOffsetMinutes(at: state.now)
        let local = LocalTime(state.now, utcOffsetMinutes: offset).clock
        let name = StyledLine("Landfall \(style.dot) \(state.app.slug)", .title)
        let clock = "\(local.prefix(10)) \(local.dropFirst(11).prefix(8))"
        let zone = width >= 80 ? " \(state.timeZone.name)" : ""
        let time = StyledLine(clock, .title) + StyledLine(zone, .aside)
        let room = width - name.width - time.width
        guard room >= 2 else { return name }
        return name + StyledLine(String(repeating: " ", count: room)) + time
    }

    private func footer(_ width: Int) -> StyledLine {
        if let trouble = state.trouble {
            let since = StoryClock(timeZone: state.timeZone, now: state.now).relative(trouble.since)
            return StyledLine("no new figures since \(since): \(trouble.reason)", .trouble)
        }
        let funnel = NextStep.command(
            "funnel", "--from today", app: state.namesApp ? state.app : nil, zone: state.timeZone)
        let quit = StyledLine("q quits", .title)
        let hints = ["\(funnel) shows every rate with its interval", funnel].map {
            quit + StyledLine("  \(style.dot)  \($0)", .aside)
        }
        return hints.first { $0.width <= width } ?? quit
    }

    private func body(width: Int, height: Int) -> [StyledLine] {
        guard let day = state.day else {
            return [StyledLine(state.trouble == nil ? "counting…" : "no data yet", .aside)]
        }
        let panels = DayPanels(day, style)
        let tokens = tokenPanels(panels)
        guard width >= Self.twoColumns else {
            return Panel.stacked(
                [pace, panels.funnel, panels.rejections] + tokens + [
                    panels.quarters, panels.campaigns(limit: 50),
                ],
                width: width, height: height, style)
        }
        let half = (width - Self.gap) / 2
        let left = Panel.stacked(
            [pace, panels.funnel, panels.quarters] + tokens, width: half, height: height, style)
        let right = Panel.stacked(
            [panels.rejections, panels.campaigns(limit: 50)], width: half, height: height, style)
        return (0..<max(left.count, right.count)).map { row in
            let beginning = row < left.count ? left[row] : StyledLine()
            guard row < right.count else { return beginning }
            return beginning.padded(to: half + Self.gap) + right[row]
        }
    }

    /// The tokens as last counted, and why they could not be counted since.
    private func tokenPanels(_ panels: DayPanels) -> [Panel] {
        let counted = state.health.map { panels.tokens($0) }
        guard let trouble = state.healthTrouble else { return [counted].compactMap(\.self) }
        let since = StoryClock(timeZone: state.timeZone, now: state.now).relative(trouble.since)
        let line = StyledLine("not counted since \(since): \(trouble.reason)", .trouble)
        return [
            Panel("Tokens", note: counted?.note ?? "", leastLines: 1) { width in
                [line.cut(to: width, style)] + (counted?.lines(width) ?? [])
            }
        ]
    }

    private var pace: Panel {
        let note = state.pace.memory.map { "the last \($0.roughWords)" } ?? ""
        return Panel("Incoming", note: note, leastLines: 1) { width in
            guard let rates = state.pace.rates else { return [StyledLine("counting…", .aside)] }
            let now = StyledLine(padded("received", to: 11)) + StyledLine("\(rate(rates.received))/s", .title)
            var parts = [
                ("accepted", rates.accepted), ("rejected", rates.rejected), ("duplicates", rates.duplicates),
            ].map { "\($0.0) \(rate($0.1))/s" }
            func line() -> StyledLine {
                now + StyledLine("   " + parts.joined(separator: " \(style.dot) "), .aside)
            }
            while line().width > width, parts.count > 1 { parts.removeLast() }
            let columns = max(0, width - 11)
            let values = Array(state.pace.steps.suffix(columns))
            let spark =
                StyledLine(padded("items", to: 11)) + StyledLine(Sparkline.text(values, style), .accepted)
            return [line().cut(to: width, style), spark.cut(to: width, style)]
        }
    }

    /// `0`, `0.4`, `12.5`, `1,234`.
    private func rate(_ perSecond: Double) -> String {
        if perSecond == 0 { return "0" }
        if perSecond < 100 {
            let tenths = max(1, Int64((perSecond * 10).rounded()))
            return "\(tenths / 10).\(tenths % 10)"
        }
        return grouped(Int64(perSecond.rounded()))
    }
}
