internal import DeliveryModel
internal import Reports

/// A breakdown's rows over time; breakdowns by name are in the table, with bars. Counts of notifications are added up over the
/// other dimension, which is correct for such counts.
struct BreakdownCharts {
    struct Series {
        let name: String
        let ink: Ink
        let count: (MeasureCounts) -> Int64
    }

    let frame: ReportFrame
    let rows: [CountedRow]
    /// Each is a part of the one before it.
    let series: [Series]
    let rate: Rate
    let rateInk: Ink

    private static let mostColumns = 1_500

    var sections: [HTMLSection] {
        frame.query.by.enumerated().flatMap { position, dimension -> [HTMLSection] in
            dimension.isPeriod ? overTime(dimension, position) : []
        }
    }

    private func counts(at position: Int) -> [(part: RowKey.Part, counts: MeasureCounts)] {
        var sums: [RowKey.Part: MeasureCounts] = [:]
        var order: [RowKey.Part] = []
        for row in rows {
            let part = row.key.parts[position]
            if sums[part] == nil { order.append(part) }
            sums[part, default: MeasureCounts()] += row.counts
        }
        return order.map { ($0, sums[$0, default: MeasureCounts()]) }
    }

    private func overTime(_ period: Dimension, _ position: Int) -> [HTMLSection] {
        let known = Dictionary(
            uniqueKeysWithValues: counts(at: position).map { ($0.part.value ?? "", $0.counts) })
        let query = frame.query
        let axis = PeriodAxis.values(of: period, in: query.window, query.timeZone, asOf: frame.asOf)
        guard axis.count > 1, axis.count <= Self.mostColumns else { return [] }
        let columns = axis.map { value in
            let counts = known[value] ?? MeasureCounts()
            return ColumnChart.Column(
                name: RowKey.Part(period, value).text, label: Self.label(value, period),
                layers: series.map { .init(name: $0.name, count: $0.count(counts), ink: $0.ink) })
        }
        let points = axis.map { value in
            RateChart.Point(
                name: RowKey.Part(period, value).text, label: Self.label(value, period),
                rate: known[value].map { rate.proportion(in: $0) })
        }
        return [
            .columns(
                ColumnChart(
                    title: "By \(period.words) of sending",
                    caption: "Notifications. Each line is a part of the line above it.",
                    columns: columns)),
            .rates(
                RateChart(
                    title: "\(Self.title(of: rate)) by \(period.words) of sending",
                    caption: Self.caption(of: rate),
                    points: points, ink: rateInk)),
        ]
    }

    private static func title(of rate: Rate) -> String {
        let words = rate.id.replacing("_", with: "-")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func caption(of rate: Rate) -> String {
        "\(rate.numerator.rawValue) of \(rate.denominator.rawValue), with the 95 % interval (Wilson)."
    }

    /// The shortest label of a period: `Mar 1`, `14:00`, `2026-03`.
    static func label(_ value: String, _ period: Dimension) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard period != .month, let month = Int(value.dropFirst(5).prefix(2)), (1...12).contains(month),
            let day = Int(value.dropFirst(8).prefix(2))
        else { return String(value.prefix(7)) }
        let date = "\(months[month - 1]) \(day)"
        guard period == .hour else { return date }
        let clock = value.dropFirst(11).prefix(5)
        return clock == "00:00" ? date : String(clock)
    }
}
