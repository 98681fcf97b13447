internal import Access
public import Documents

extension AppToday {
    /// One app in the document of `landfall --json`: `today` and `yesterday` as in the funnel,
    /// `quarters` of the last 24 hours, instants in local time with the offset from UTC.
    public func document(tokens: TokenHealth?) -> JSONValue {
        .object([
            .init("app", .string(app.slug)), .init("today", Self.part(today)),
            .init("yesterday", Self.part(yesterday)), .init("quarters", .array(quarters.map(json))),
            .init("campaigns", .array(Self.sheet(today).rowDocuments)), .init("received_24h", received.json),
            .init("last_quarter", .optional(lastQuarter.map(timeZone.rfc3339))),
            .init("tokens", tokens?.json(in: timeZone) ?? .null),
        ])
    }

    private static func part(_ report: FunnelReport) -> JSONValue {
        let query = report.frame.query
        return .object(
            [
                .init("from", .string(query.timeZone.rfc3339(query.window.from))),
                .init("to", .string(query.timeZone.rfc3339(query.window.to))),
            ] + sheet(report).totalMembers + report.unmatched.members)
    }

    /// A day is too short to estimate what arrives in it.
    private static func sheet(_ report: FunnelReport) -> Sheet {
        var sheet = report.sheet
        sheet.leaveOut(Set(ArrivalEstimate.fields.map(\.column.id)))
        return sheet
    }

    private func json(_ quarter: QuarterCounts) -> JSONValue {
        [
            "quarter": .string(timeZone.rfc3339(quarter.quarter)),
            "attempted": .integer(quarter.attempted), "accepted": .integer(quarter.accepted),
            "confirmed": .integer(quarter.confirmed), "clicked": .integer(quarter.clicked),
        ]
    }
}
