internal import DeliveryModel
package import Reports

extension CounterReport {
    /// The CSV of the funnel and of the clicks. If another window is compared, its figures follow.
    package var csv: CSVText {
        let figures = Question.shown.map(\.rawValue) + Question.rates.flatMap { Proportion.columns($0.id) }
        let estimates = Question.estimatesArrivals ? ArrivalEstimate.columns : []
        let comparison = context.comparison
        let csv = ReportCSV(
            frame: frame, columns: figures + estimates + (comparison?.columns ?? []), unmatched: unmatched)
        let totals = Self.fields(totals, context.arrivals?.totals)
        guard let comparison else {
            return csv.text(
                rows: rows.map { ($0.key, Self.fields($0.counts, context.arrivals?.rows[$0.key])) },
                totals: totals)
        }
        let counts = Dictionary(rows.map { ($0.key, $0.counts) }, uniquingKeysWith: { $1 })
        return csv.text(
            rows: comparison.rows.map { row in
                let key = row.key ?? row.previousKey ?? RowKey([])
                let now = row.key.flatMap { counts[$0] } ?? MeasureCounts()
                let estimate = row.key.flatMap { context.arrivals?.rows[$0] }
                return (key, Self.fields(now, estimate) + row.change.previousFields)
            }, totals: totals + comparison.totals.previousFields)
    }

    private static func fields(_ counts: MeasureCounts, _ estimate: ArrivalEstimate?) -> [CSVField] {
        Question.shown.map { .integer(counts[$0]) }
            + Question.rates.flatMap { $0.proportion(in: counts).fields }
            + (Question.estimatesArrivals ? ArrivalEstimate.fields(estimate) : [])
    }
}
