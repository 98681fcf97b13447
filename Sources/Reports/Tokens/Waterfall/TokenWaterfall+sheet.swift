internal import DeliveryModel

extension TokenWaterfall: Sheeted {
    private typealias Field = SheetField<Period>

    /// Instants are in local time with the offset from UTC; `active` is the waterfall, `moves` every move
    /// between the states `start` and `end`, `registration_failed` the installations that the system gave no
    /// token (null if tokens are counted). CSV always has the same fields; rare causes share one.
    private var fields: [Field] {
        let everywhere: SheetColumn.Places = [.rows, .totals, .csv]
        func member(
            _ id: String, _ kind: SheetColumn.Kind = .document, at path: [String],
            _ value: @escaping (Period) -> SheetValue
        ) -> Field {
            Field(SheetColumn(id, kind, at: path, in: [.rows, .totals]), value)
        }
        func active(_ id: String, _ count: @escaping (Period) -> Int64) -> Field {
            .count(id, at: ["active", id], in: everywhere) { count($0) }
        }
        func flow(_ id: String, _ flow: ActiveFlow) -> Field {
            active(id) { $0.flows[flow, default: 0] }
        }
        let causes: [TokenRule] = [
            .unregistered, .badToken, .confirmed, .loggedOut, .expired, .erased, .transferred,
        ]
        let named = causes.map(\.rawValue)
        let ends: [TokenState] = [.suspect, .stale, .retired]
        var fields: [Field] = [
            member("from", .instant, at: ["from"]) { .instant($0.from) },
            member("to", .instant, at: ["to"]) { .instant($0.to) },
            member("start_states", at: ["start"]) { .document($0.start.json) },
            member("end_states", at: ["end"]) { .document($0.end.json) },
            .words("period", title: window.by == .week ? "Week of" : "Day", in: .csv) { $0.name },
            active("start") { $0.start[.active] }, flow("registered", .registered),
            flow("revived", .revived), flow("rotated", .rotated), flow("migrated", .migrated),
            member("retired", at: ["active", "retired"]) { .document(.object($0.retired)) },
        ]
        fields += named.map { cause in
            Field.count("retired_\(cause)", in: .csv) { $0.flows[.retired(cause), default: 0] }
        }
        let others: [Field] = [
            .count("retired_other", in: .csv) { period in
                let rare = period.flows.filter { flow in
                    flow.key.cause.map { !named.contains($0) } ?? false
                }
                return rare.values.reduce(Int64(0), +)
            }, flow("stale", .stale), flow("suspect", .suspect), active("net") { $0.net },
            active("end") { $0.end[.active] },
        ]
        fields += others
        fields += ends.map { state in Field.count("end_\(state.rawValue)", in: .csv) { $0.end[state] } }
        let rest: [Field] = [
            .count("registration_failed", at: ["registration_failed"], in: everywhere) {
                $0.registrationFailures
            }, member("moves", at: ["moves"]) { .document(.array($0.movesJSON)) },
            .constant("app", app.slug), .constant("unit", unit.rawValue),
            Field(SheetColumn("from", .instant, in: .csv)) { .instant($0.from) },
            Field(SheetColumn("to", .instant, in: .csv)) { .instant($0.to) },
            .constant("time_zone", window.timeZone.name),
            .constant("as_of", window.timeZone.rfc3339(window.asOf)),
        ]
        return fields + rest + tableFields
    }

    /// The numbers with a sign, and the line of the chart.
    private var tableFields: [Field] {
        var fields = flows.map { flow in
            Field(
                SheetColumn(
                    "flow_\(flow.title)", title: SheetColumn.capitalized(flow.title), in: .nowhere)
            ) { $0.flows[flow].map { .words(signed(flow.isGain ? $0 : -$0)) } ?? .none }
        }
        fields.append(
            Field(SheetColumn("net", in: .nowhere)) {
                .words(signed($0.net), ink: $0.net < 0 ? .trouble : $0.net > 0 ? .confirmed : nil)
            })
        fields.append(.count("active", ink: .confirmed, in: .nowhere) { $0.end[.active] })
        return fields
    }

    /// Flows that never occurred have no column.
    private var flows: [ActiveFlow] {
        let occurred = Set(total.flows.keys)
        return ActiveFlow.inOrder(occurred).filter(occurred.contains)
    }

    public var sheet: Sheet {
        let zone = window.timeZone
        let period = window.by?.dimension
        var sheet = Sheet(
            "Waterfall", of: app, in: window.from..<window.to, zone, by: period, asOf: window.asOf,
            members: [
                "report": .string(Self.name), "app": .string(app.slug),
                "from": .string(zone.rfc3339(window.from)), "to": .string(zone.rfc3339(window.to)),
                "time_zone": .string(zone.name), "unit": .string(unit.rawValue),
                "as_of": .string(zone.rfc3339(window.asOf)),
            ], facts: facts, fields,
            rows: periods, periods: periods.map(\.name), totals: total)
        sheet.precedingMembers = JSONValue.Member.cutPeriods(window.cutPeriods)
        sheet.hasOnlyRows = !periods.isEmpty
        sheet.headline =
            "\(Words.number(total.start[.active])) active \(unit.rawValue) at the start, "
            + "\(Words.number(total.end[.active])) at the end: \(signed(total.net))."
        sheet.table = [
            ["period"],
            (["start"] + flows.map { "flow_\($0.title)" } + ["net", "end"]).map { .column($0) },
            [.bar(SheetBar("End, of largest", "end", .confirmed, width: 16))],
        ]
        sheet.pictures = [.waterfall(WaterfallPicture(total))]
        sheet.remarks = remarks
        sheet.remarkWidth = 10
        sheet.course = SheetCourse(
            series: ["active"], title: "Active at the end of each {period}",
            caption: "Active \(unit.rawValue).", addsUp: false)
        return sheet
    }

    private var facts: [(name: String, text: String)] {
        let zone = window.timeZone
        let counted =
            unit == .installations
            ? "installations, by the best token each holds that shows notifications"
            : "tokens of kinds that show notifications"
        // The incomplete days or weeks cannot be compared with others; the current one is among them.
        let cut = window.cutPeriods.map { "\(window.by?.rawValue ?? "") \($0)" }.joined(separator: ", ")
        var facts: [(name: String, text: String)] = [
            ("window", "\(zone.toTheMinute(window.from)) → \(zone.toTheMinute(window.to)), \(zone.name)"),
            ("counted", "\(counted); the active ones, exact, from the ledger"),
        ]
        if !cut.isEmpty { facts.insert(("", "cut short: \(cut)"), at: 1) }
        return facts
    }

    private var remarks: [SheetRemark] {
        let start = total.start[.active]
        let share = Words.percent(Double(abs(total.net)) / Double(max(1, start)))
        let net = start > 0 ? "\(share) % of what was active at the start" : "nothing was active at the start"
        let others = [TokenState.suspect, .stale, .retired].map { state in
            SheetRemark(
                state.rawValue, .count(total.end[state]),
                "at the end; \(signed(total.end[state] - total.start[state])) since the start")
        }
        let failures = total.registrationFailures ?? 0
        let without = SheetRemark(
            "no token", .count(failures),
            "\(failures == 1 ? "installation" : "installations") to which the system gave no token; in no other number"
        )
        return [SheetRemark("net", .words(signed(total.net)), net)] + others + (failures > 0 ? [without] : [])
    }
}

private func signed(_ count: Int64) -> String { (count > 0 ? "+" : "") + Words.number(count) }

extension WaterfallPicture {
    init(_ period: TokenWaterfall.Period) {
        var level = period.start[.active]
        var steps = [Step(level: "start", level, .attempted)]
        var levels = [level]
        for flow in ActiveFlow.inOrder(Set(period.flows.keys)) {
            guard let count = period.flows[flow] else { continue }
            let change = flow.isGain ? count : -count
            steps.append(
                Step(flow.title, name: flow.title, change, from: level, flow.isGain ? .confirmed : .trouble))
            level += change
            levels.append(level)
        }
        steps.append(Step(level: "end", level, .attempted))
        let (low, high) = (levels.min() ?? 0, levels.max() ?? 0)
        self.init(
            steps, axis: high - low > high / 4 ? 0 : max(0, low - max(1, (high - low) / 5)),
            indentsSteps: false)
    }
}

extension ActiveFlow {
    /// As shown to users.
    fileprivate var title: String { cause ?? String(describing: self) }
}

extension TokenWaterfall.Period {
    /// Moves by their cause.
    fileprivate var retired: [JSONValue.Member] {
        let flows = flows
        return ActiveFlow.inOrder(Set(flows.keys)).compactMap { flow in
            flow.cause.map { JSONValue.Member($0, .integer(flows[flow, default: 0])) }
        }
    }

    /// Sorted so that the same report is always the same bytes.
    fileprivate var movesJSON: [JSONValue] {
        let sorted = moves.sorted { left, right in
            (left.key.from?.rawValue ?? "", left.key.to.rawValue, left.key.rule)
                < (right.key.from?.rawValue ?? "", right.key.to.rawValue, right.key.rule)
        }
        return sorted.map { move, count in
            [
                "from": .optional(move.from?.rawValue), "to": .string(move.to.rawValue),
                "rule": .string(move.rule), "count": .integer(count),
            ]
        }
    }
}
