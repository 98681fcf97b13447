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

/// The CSV of the funnel and of the clicks. If another window is compared, its figures follow.
enum CounterCSV {
    static func text<Question>(of report: CounterReport<Question>) -> CSVText {
        let figures = Question.shown.map(\.rawValue) + Question.rates.flatMap { Proportion.columns($0.id) }
        let estimates = Question.estimatesArrivals ? ArrivalEstimate.columns : []
        let comparison = report.context.comparison
        let csv = ReportCSV(
            frame: report.frame, columns: figures + estimates + (comparison?.columns ?? []),
            unmatched: report.unmatched)
        let totals = fields(report.totals, of: report, report.context.arrivals?.totals)
        guard let comparison else {
            return csv.text(
                rows: report.rows.map {
                    ($0.key, fields($0.counts, of: report, report.context.arrivals?.rows[$0.key]))
                }, totals: totals)
        }
        let counts = Dictionary(report.rows.map { ($0.key, $0.counts) }, uniquingKeysWith: { $1 })
        return csv.text(
            rows: comparison.rows.map { row in
                let key = row.key ?? row.previousKey ?? RowKey([])
                let now = row.key.flatMap { counts[$0] } ?? MeasureCounts()
                let estimate = row.key.flatMap { report.context.arrivals?.rows[$0] }
                return (key, fields(now, of: report, estimate) + row.change.previousFields)
            }, totals: totals + comparison.totals.previousFields)
    }

    private static func fields<Question>(
        _ counts: MeasureCounts, of report: CounterReport<Question>, _ estimate: ArrivalEstimate?
    ) -> [CSVField] {
        Question.shown.map { .integer(counts[$0]) }
            + Question.rates.flatMap { $0.proportion(in: counts).fields }
            + (Question.estimatesArrivals ? ArrivalEstimate.fields(estimate) : [])
    }
}

enum ReachCSV {
    /// One line per row. The audience belongs to the app, not to a row, so it is only in a line of totals.
    static func text(of report: ReachReport) -> CSVText {
        let hasTotals = report.frame.query.by.isEmpty
        let csv = ReportCSV(
            frame: report.frame,
            columns: ["targeted", "reached", "engaged"] + Proportion.columns("reach")
                + (hasTotals ? ["audience", "audience_reached"] + Proportion.columns("audience_reach") : [])
                + (report.comparison?.columns ?? []), unmatched: report.unmatched)
        let rows = report.comparison.map { comparison in
            comparison.lines.map { ($0.key, $0.change.now.fields + $0.change.previousFields) }
        }
        return csv.text(
            rows: rows ?? report.rows.map { ($0.key, fields($0.counts)) },
            totals: fields(report.totals) + [.integer(report.audience)] + audienceReach(report)
                + (report.comparison?.totals.previousFields ?? []))
    }

    /// Empty if not known.
    private static func audienceReach(_ report: ReachReport) -> [CSVField] {
        guard let rate = report.audienceReach else {
            return Array(repeating: .number(nil), count: 1 + Proportion.columns("").count)
        }
        return [.integer(rate.numerator)] + rate.fields
    }

    private static func fields(_ counts: ReachReport.Counts) -> [CSVField] {
        [.integer(counts.targeted), .integer(counts.reached), .integer(counts.engaged)] + counts.reach.fields
    }
}
