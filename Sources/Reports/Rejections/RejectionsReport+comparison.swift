internal import DeliveryModel
internal import Instants

extension RejectionsReport {
    /// Compares the windows by key, with all responses of a key together. If a key has no rejection in one
    /// window, it is compared with its attempts there; keys without a rejection in both windows are omitted.
    func compared(with before: RejectionsReport) -> ReportComparison {
        ReportComparison(now: side, before: before.side) { change in
            change.counts.contains { count in
                count.id == Self.rejectedID && (count.before != 0 || count.now != 0)
            }
        }
    }

    private static let rejectedID = "rejected"

    var side: ReportComparison.Side {
        ReportComparison.Side(
            query: frame.query,
            rows: keys.map { (key: $0, figures: (attempts[$0] ?? Self.nothing).figures) },
            totals: Attempts(attempted: totals[.attempted], rejected: rejected).figures,
            nothing: Self.nothing.figures)
    }

    private static let nothing = Attempts(attempted: 0, rejected: 0)

    /// The keys with rejections in the order of the rows, then the others; by time if the breakdown is by time.
    private var keys: [RowKey] {
        var keys: [RowKey] = []
        var known: Set<RowKey> = []
        let others = attempts.keys.sorted { $0.inWords < $1.inWords }
        for key in rows.map(\.key) + others where known.insert(key).inserted { keys.append(key) }
        guard let position = frame.query.by.firstIndex(where: \.isPeriod) else { return keys }
        return keys.enumerated().sorted { left, right in
            (Self.time(left.element.parts[position]), left.offset)
                < (Self.time(right.element.parts[position]), right.offset)
        }.map(\.element)
    }

    /// In UTC if it is an hour: of the two equal hours when daylight saving time ends, the offsets sort in the wrong order.
    private static func time(_ part: RowKey.Part) -> String {
        let value = part.value ?? ""
        return Instant(rfc3339: value)?.rfc3339 ?? value
    }
}

extension RejectionsReport.Attempts {
    fileprivate var figures: Figures {
        Figures(
            counts: [.init("attempted", attempted), .init("rejected", rejected)],
            rates: [.init("share", Proportion(rejected, of: attempted))])
    }
}
