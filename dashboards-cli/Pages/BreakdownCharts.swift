internal import DeliveryModel
internal import Reports

/// The rows of a breakdown as pictures: over time where it has periods, by name where it has names. What is added up over
/// the other dimension are counts of notifications, which may be.
struct BreakdownCharts {
    struct Series {
        let name: String
        let ink: Ink
        let count: (MeasureCounts) -> Int64
    }

    let frame: ReportFrame
    let rows: [CountedRow]
    /// Each a part of the one before it.
    let series: [Series]
    let rate: Rate
    let rateInk: Ink

    /// More bars than that nobody compares; the table has them all.
    private static let mostBars = 20
    private static let mostColumns = 1_500

    var sections: [HTMLSection] {
        frame.query.by.enumerated().flatMap { position, dimension -> [HTMLSection] in
            dimension.isPeriod ? overTime(dimension, position) : byName(dimension, position)
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
        let names = series.map(\.name).joined(separator: ", ")
        return [
            .columns(
                ColumnChart(
                    title: "By \(period.words) of sending",
                    caption: "Notifications: \(names). Each is a part of the one before it.",
                    columns: columns)),
            .rates(
                RateChart(
                    title: "\(Self.title(of: rate)) by \(period.words) of sending",
                    caption: Self.caption(of: rate),
                    points: points, ink: rateInk)),
        ]
    }

    private func byName(_ dimension: Dimension, _ position: Int) -> [HTMLSection] {
        guard let widest = series.first else { return [] }
        let all = counts(at: position).sorted { widest.count($0.counts) > widest.count($1.counts) }
        guard all.count > 1 else { return [] }
        let shown = all.prefix(Self.mostBars)
        let largest = Double(max(1, shown.map { widest.count($0.counts) }.max() ?? 1))
        let left = all.count > shown.count ? " The \(shown.count) largest of \(all.count)." : ""
        let bars = shown.map { item in
            BarChart.Bar(
                name: item.part.text, value: grouped(widest.count(item.counts)),
                layers: series.map { .init(to: Double($0.count(item.counts)) / largest, ink: $0.ink) })
        }
        let highest =
            shown.compactMap { item -> Double? in
                let proportion = rate.proportion(in: item.counts)
                return proportion.interval?.upperBound ?? proportion.value
            }.max() ?? 1
        let full = min(1, max(highest, 0.001))
        let rates = shown.map { item in
            let proportion = rate.proportion(in: item.counts)
            return BarChart.Bar(
                name: item.part.text, value: proportion.value.map { "\(percent($0)) %" } ?? "–",
                layers: [.init(to: (proportion.value ?? 0) / full, ink: rateInk)],
                interval: proportion.interval.map { ($0.lowerBound / full)...min(1, $0.upperBound / full) })
        }
        let names = series.map(\.name).joined(separator: ", ")
        return [
            .bars(
                BarChart(
                    title: "By \(dimension.words)",
                    caption: "Notifications: \(names). The number is of \(widest.name).\(left)",
                    bars: Array(bars),
                    legend: series.map { LegendEntry(name: $0.name, ink: $0.ink) })),
            .bars(
                BarChart(
                    title: "\(Self.title(of: rate)) by \(dimension.words)",
                    caption: "\(Self.caption(of: rate)) A full bar is \(percent(full)) %.", bars: Array(rates)
                )),
        ]
    }

    private static func title(of rate: Rate) -> String {
        let words = rate.id.replacing("_", with: "-")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func caption(of rate: Rate) -> String {
        "\(rate.numerator.rawValue) of \(rate.denominator.rawValue), with the 95 % interval (Wilson)."
    }

    /// As short as it can be told: `Mar 1`, `14:00`, `2026-03`.
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
