internal import DeliveryModel
internal import Documents

extension ReportComparison {
    /// `comparison` of the document: the other window, and for each row and the totals the previous
    /// figures and their changes. Changes of rates are fractions, with Newcombe's interval.
    ///
    /// - Parameter query: the query of the report.
    func json(of query: ReportQuery) -> JSONValue {
        let other = query.with(window: window)
        let frame: [JSONValue.Member] = [
            .init("from", .string(query.timeZone.rfc3339(window.from))),
            .init("to", .string(query.timeZone.rfc3339(window.to))),
        ]
        let rows = rows.map { row in
            let keys: [JSONValue.Member] = [
                .init("key", row.key?.json ?? .null), .init("previous_key", row.previousKey?.json ?? .null),
            ]
            return JSONValue.object(keys + row.change.members)
        }
        return .object(
            frame + JSONValue.Member.cutPeriods(other.cutPeriods) + [
                .init("rows", .array(rows)), .init("totals", .object(totals.members)),
            ])
    }
}

extension FiguresChange {
    fileprivate var members: [JSONValue.Member] {
        let counts = counts.map { count in
            JSONValue.Member(
                count.id,
                ["previous": .optional(count.before), "change": .optional(count.change)])
        }
        let rates = rates.map { rate in
            JSONValue.Member(
                rate.id,
                [
                    "previous": .optional(rate.difference.first.value),
                    "change": .optional(rate.difference.value),
                    "low": .optional(rate.difference.interval?.lowerBound),
                    "high": .optional(rate.difference.interval?.upperBound),
                ])
        }
        return [.init("counts", .object(counts)), .init("rates", .object(rates))]
    }
}
