internal import DeliveryModel
internal import Documents

/// The figures of another window next to those of a report, as `--compare` requests.
public struct ReportComparison: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        /// The key in the report; `nil` if only the other window has such a row.
        public let key: RowKey?
        /// The key in the other window. Its period differs from that of `key`: the second day is compared with the second day.
        public let previousKey: RowKey?
        public let change: FiguresChange
    }

    /// The other window.
    public let window: ReportWindow
    /// The report's rows in their order, then those that only the other window has.
    public internal(set) var rows: [Row]
    public let totals: FiguresChange

    /// Sorts rows in the order of the report's. Rows that it leaves out, or never had, go last, or are removed.
    mutating func follow(_ keys: [RowKey], leavesOutOthers: Bool) {
        let places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = leavesOutOthers ? rows.filter { row in row.key.map { places[$0] != nil } ?? false } : rows
        let ranks = kept.map { row in row.key.flatMap { places[$0] } ?? .max }
        rows = kept.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { kept[$0] }
    }

    /// The rows and totals of one window.
    struct Side {
        let query: ReportQuery
        let rows: [(key: RowKey, figures: Figures)]
        let totals: Figures
        /// The figures of a missing row: counts of 0, and unknown times.
        let nothing: Figures
    }

    init(now: Side, before: Side) {
        let places = PeriodPosition(now.query)
        let earlierPlaces = PeriodPosition(before.query)
        var earlier: [[String?]: (key: RowKey, figures: Figures)] = [:]
        for row in before.rows { earlier[earlierPlaces.place(of: row.key)] = row }
        var rows: [Row] = []
        for row in now.rows {
            let other = earlier.removeValue(forKey: places.place(of: row.key))
            let figures = other?.figures ?? before.nothing
            rows.append(
                Row(
                    key: row.key, previousKey: other?.key,
                    change: FiguresChange(from: figures, to: row.figures)))
        }
        for row in before.rows where earlier[earlierPlaces.place(of: row.key)] != nil {
            rows.append(
                Row(
                    key: nil, previousKey: row.key,
                    change: FiguresChange(from: row.figures, to: now.nothing)))
        }
        self.rows = rows
        window = before.query.window
        totals = FiguresChange(from: before.totals, to: now.totals)
    }
}

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
