internal import Access
internal import DeliveryModel
public import Documents

extension AppToday {
    /// One app in the document of `landfall --json`: `today` and `yesterday` as in the funnel,
    /// `quarters` of the last 24 hours, instants in local time with the offset from UTC.
    public func document(tokens: TokenHealth?) -> JSONValue {
        .object([
            .init("app", .string(app.slug)),
            .init("today", Self.part(today)),
            .init("yesterday", Self.part(yesterday)),
            .init("quarters", .array(quarters.map(json))),
            .init("campaigns", .array(today.rows.map(Self.row))),
            .init("received_24h", received.json),
            .init("last_quarter", .optional(lastQuarter.map(timeZone.rfc3339))),
            .init("tokens", tokens?.json(in: timeZone) ?? .null),
        ])
    }

    private static func part(_ report: FunnelReport) -> JSONValue {
        let (query, totals) = (report.frame.query, report.totals)
        let members: [JSONValue.Member] = [
            .init("from", .string(query.timeZone.rfc3339(query.window.from))),
            .init("to", .string(query.timeZone.rfc3339(query.window.to))),
            .init("counts", Funnel.json(totals)),
            .init("rates", rates(totals)),
        ]
        return .object(members + report.unmatched.members)
    }

    private static func row(_ row: CountedRow) -> JSONValue {
        ["key": row.key.json, "counts": Funnel.json(row.counts), "rates": rates(row.counts)]
    }

    private func json(_ quarter: QuarterCounts) -> JSONValue {
        [
            "quarter": .string(timeZone.rfc3339(quarter.quarter)),
            "attempted": .integer(quarter.attempted), "accepted": .integer(quarter.accepted),
            "confirmed": .integer(quarter.confirmed), "clicked": .integer(quarter.clicked),
        ]
    }

    private static func rates(_ counts: MeasureCounts) -> JSONValue {
        .object(Funnel.rates.map { .init($0.id, $0.json(in: counts)) })
    }
}
