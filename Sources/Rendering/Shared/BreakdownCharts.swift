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
    /// The comparison with another window, drawn if the periods are the only dimension.
    var comparison: ReportComparison?
    /// The report's table.
    let table: TextTable

    var sections: [HTMLSection] {
        frame.query.by.enumerated().flatMap { position, dimension -> [HTMLSection] in
            guard dimension.isPeriod, let axis = TimeAxis(frame, dimension) else { return [] }
            let counts = counts(at: position)
            return [.lines(counted(axis, counts)), .lines(rated(axis, counts))]
        }
    }

    /// The counts of each series over time, by its name; none if there is no period.
    var courses: [String: [Int64]] {
        guard let position = frame.query.by.firstIndex(where: \.isPeriod),
            let axis = TimeAxis(frame, frame.query.by[position])
        else { return [:] }
        let counts = counts(at: position)
        return Dictionary(
            uniqueKeysWithValues: series.map { series in
                (series.name, axis.values.map { series.count(counts[$0] ?? MeasureCounts()) })
            })
    }

    private func counts(at position: Int) -> [String: MeasureCounts] {
        rows.reduce(into: [:]) {
            $0[$1.key.parts[position].value ?? "", default: MeasureCounts()] += $1.counts
        }
    }

    private func counted(_ axis: TimeAxis, _ counts: [String: MeasureCounts]) -> LineChart {
        let now = series.map { series in
            LineChart.Series(
                name: series.name, ink: series.ink,
                points: axis.values.map { .init(series.count(counts[$0] ?? MeasureCounts())) })
        }
        let first = series[0]
        let earlier = earlier(first.name, first.ink, axis) { figures in
            figures.counts.first { $0.id == first.name }?.value.map { .init($0) }
        }
        var chart = LineChart(
            title: "By \(axis.period.words) of sending",
            caption: "Notifications. Each line is a part of the line above it.", axis: axis,
            series: now + earlier)
        if frame.query.by.count == 1 { chart.table = PageTable(table) }
        return chart
    }

    private func rated(_ axis: TimeAxis, _ counts: [String: MeasureCounts]) -> LineChart {
        let now = LineChart.Series(
            name: rate.words, ink: rateInk,
            points: axis.values.map { counts[$0].flatMap { .init(rate.proportion(in: $0)) } })
        let earlier = earlier(rate.words, rateInk, axis) { figures in
            figures.rates.first { $0.id == rate.id }.flatMap { .init($0.proportion) }
        }
        return LineChart(
            title:
                "\(rate.words.prefix(1).uppercased() + rate.words.dropFirst()) by \(axis.period.words) of sending",
            caption:
                "\(rate.numerator.rawValue) of \(rate.denominator.rawValue), with the 95 % interval (Wilson).",
            axis: axis, series: [now] + earlier, isRate: true)
    }

    /// The number in the periods that these are compared with; none if nothing is.
    private func earlier(
        _ name: String, _ ink: Ink, _ axis: TimeAxis, point: (Figures) -> LineChart.Point?
    ) -> [LineChart.Series] {
        guard let comparison, frame.query.by.count == 1 else { return [] }
        let before = Dictionary(
            comparison.rows.compactMap { row in
                row.key?.parts.first?.value.map { ($0, row.change.before) }
            }, uniquingKeysWith: { first, _ in first })
        return [
            .init(
                name: "\(name), earlier window", ink: ink,
                points: axis.values.map { before[$0].flatMap(point) },
                isEarlier: true)
        ]
    }
}

extension Rate {
    fileprivate var words: String { id.replacing("_", with: "-") }
}

extension LineChart.Point {
    /// - Parameter prefix: precedes an estimate.
    init(_ count: Int64, prefix: String = "") {
        self.init(value: Double(count), text: prefix + grouped(count))
    }

    /// `nil` if there is no denominator.
    init?(_ rate: Proportion) {
        guard let value = rate.value else { return nil }
        self.init(
            value: value,
            text: "\(rate.text(.page)), \(grouped(rate.numerator)) of \(grouped(rate.denominator))",
            interval: rate.interval)
    }
}
