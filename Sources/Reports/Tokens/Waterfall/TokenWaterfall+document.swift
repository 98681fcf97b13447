internal import Access
internal import DeliveryModel
public import Documents

extension TokenWaterfall {
    /// The document of `--json`. Instants are in local time with the offset from UTC; `active` is
    /// the waterfall, `moves` contains every move between the states `start` and `end`,
    /// `registration_failed` the installations that the system gave no token (null if tokens are counted).
    public var document: JSONValue {
        let zone = window.timeZone
        let frame: [JSONValue.Member] = [
            .init("report", .string(Self.name)),
            .init("app", .string(app.slug)),
            .init("from", .string(zone.rfc3339(window.from))),
            .init("to", .string(zone.rfc3339(window.to))),
            .init("time_zone", .string(zone.name)),
            .init("unit", .string(unit.rawValue)),
            .init("as_of", .string(zone.rfc3339(window.asOf))),
        ]
        let rows = periods.map { period in
            let key: JSONValue.Member = .init(
                "key", .object([.init(window.by?.rawValue ?? "", .optional(period.name))]))
            return JSONValue.object([key] + members(period))
        }
        return .object(
            frame + JSONValue.Member.cutPeriods(window.cutPeriods) + [
                .init("rows", .array(rows)), .init("totals", .object(members(total))),
            ])
    }

    private func members(_ period: Period) -> [JSONValue.Member] {
        let zone = window.timeZone
        return [
            .init("from", .string(zone.rfc3339(period.from))),
            .init("to", .string(zone.rfc3339(period.to))),
            .init("start", period.start.json),
            .init("end", period.end.json),
            .init("active", active(period)),
            .init("registration_failed", .optional(period.registrationFailures)),
            .init("moves", .array(period.sortedMoves.map { Self.json($0, period.moves[$0, default: 0]) })),
        ]
    }

    private func active(_ period: Period) -> JSONValue {
        let flows = period.flows
        let causes = ActiveFlow.inOrder(Set(flows.keys)).compactMap { flow -> JSONValue.Member? in
            flow.cause.map { .init($0, .integer(flows[flow, default: 0])) }
        }
        return [
            "start": .integer(period.start[.active]),
            "registered": .integer(flows[.registered, default: 0]),
            "revived": .integer(flows[.revived, default: 0]),
            "rotated": .integer(flows[.rotated, default: 0]),
            "retired": .object(causes),
            "stale": .integer(flows[.stale, default: 0]),
            "suspect": .integer(flows[.suspect, default: 0]),
            "net": .integer(period.net),
            "end": .integer(period.end[.active]),
        ]
    }

    private static func json(_ move: TokenMove, _ count: Int64) -> JSONValue {
        [
            "from": .optional(move.from?.rawValue), "to": .string(move.to.rawValue),
            "rule": .string(move.rule), "count": .integer(count),
        ]
    }
}

extension TokenWaterfall.Period {
    /// Sorted so that the same report is always the same bytes.
    fileprivate var sortedMoves: [TokenMove] {
        moves.keys.sorted { left, right in
            (left.from?.rawValue ?? "", left.to.rawValue, left.rule)
                < (right.from?.rawValue ?? "", right.to.rawValue, right.rule)
        }
    }
}
