internal import Access
internal import DeliveryModel
internal import Reports

/// The common parts of all reports' CSV: the key first, then the figures, then the facts without which the figures mean nothing,
/// so that each line can be read on its own. With a breakdown there is no line of totals, because a sum over the column would
/// count it again; without one, the totals are the only line.
struct ReportCSV {
    let frame: ReportFrame
    /// The names of the key's columns.
    private let key: [String]
    private let columns: [String]

    /// Counts that belong to no row; only in a report of one line.
    private let unmatched: UnmatchedCounts?

    /// - Parameters:
    ///   - key: if `nil`, the dimensions of the query.
    ///   - unmatched: belongs to no row of a breakdown, so it is only in a line of totals.
    init(frame: ReportFrame, key: [String]? = nil, columns: [String], unmatched: UnmatchedCounts? = nil) {
        self.frame = frame
        self.key = key ?? frame.query.by.map(\.rawValue)
        self.columns = columns
        self.unmatched = self.key.isEmpty ? unmatched : nil
    }

    private static let frameColumns = ["app", "unit", "from", "to", "time_zone", "cohort", "as_of"]

    func text(rows: [(key: RowKey, fields: [CSVField])], totals: [CSVField]) -> CSVText {
        let aside = unmatched.map { [CSVField.integer($0.unmatched), .integer($0.local)] } ?? []
        var text = CSVText(
            header: key + columns + (unmatched == nil ? [] : ["unmatched", "local"]) + Self.frameColumns)
        if key.isEmpty { text.append(totals + aside + frameFields) }
        for row in rows { text.append(row.key.fields() + row.fields + frameFields) }
        return text
    }

    private var frameFields: [CSVField] {
        let zone = frame.query.timeZone
        return [
            .text(frame.query.app.slug), .text(frame.unit.rawValue),
            .text(zone.rfc3339(frame.query.window.from)), .text(zone.rfc3339(frame.query.window.to)),
            .text(zone.name), .text("sent_at"), .text(zone.rfc3339(frame.asOf)),
        ]
    }
}

extension Proportion {
    /// The value and the two ends of its interval, as fractions; empty if the denominator is 0.
    var fields: [CSVField] {
        [.number(value), .number(interval?.lowerBound), .number(interval?.upperBound)]
    }

    static func columns(_ id: String) -> [String] {
        [id, "\(id)_low", "\(id)_high"]
    }
}
