internal import DeliveryModel
internal import Reports

/// A sheet's rows over time; breakdowns by name are in the table, with bars.
struct SheetCharts {
    private let sheet: Sheet
    private let course: SheetCourse
    private let axis: TimeAxis
    /// The values of each period by the ids of their columns, added up over the other dimension.
    private let sums: [String: [String: SheetValue]]

    /// `nil` if there is nothing to draw.
    init?(_ sheet: Sheet) {
        let by = sheet.frame.query.by
        guard let course = sheet.course, let position = by.firstIndex(where: \.isPeriod),
            course.addsUp || by.count == 1, let axis = TimeAxis(sheet.frame, by[position])
        else { return nil }
        (self.sheet, self.course, self.axis) = (sheet, course, axis)
        let shown = (course.series + [course.rate].compactMap(\.self))
            .compactMap { id in sheet.position(of: id).map { (id: id, column: $0) } }
        sums = sheet.rows.reduce(into: [:]) { sums, row in
            let period = row.key.parts[position].value ?? ""
            for (id, column) in shown {
                sums[period, default: [:]][id] =
                    (sums[period]?[id]).map { $0 + row.values[column] } ?? row.values[column]
            }
        }
    }

    /// The counts of each series over time, by its id; 0 in a period without any.
    var courses: [String: [Int64]] {
        Dictionary(
            uniqueKeysWithValues: course.series.map { id in
                (id, axis.values.map { Int64(sums[$0]?[id]?.number ?? 0) })
            })
    }

    var sections: [HTMLSection] {
        guard let caption = course.caption else { return [] }
        let words = axis.period.words
        let lines = course.series.compactMap { id -> LineChart.Series? in
            guard let column = sheet.column(id) else { return nil }
            let prefix = sheet.total(id).isEstimate ? OutputStyle.page.nearly : ""
            return .init(
                name: column.name, ink: column.ink ?? .aside,
                points: axis.values.map { .init(sums[$0]?[id]?.count ?? 0, prefix: prefix) })
        }
        let before = earlier(course.series.first) { figures, id in
            figures.counts.first { $0.id == id }?.value.map { .init($0) }
        }
        var chart = LineChart(
            title: course.title.replacing("{period}", with: words),
            caption: caption.replacing("{period}", with: words), axis: axis, series: lines + before)
        if sheet.frame.query.by.count == 1 { chart.table = PageTable(SheetTable(sheet, .page).table) }
        return [.lines(chart)] + rates
    }

    private var rates: [HTMLSection] {
        guard let id = course.rate, let column = sheet.column(id) else { return [] }
        let line = LineChart.Series(
            name: column.name, ink: column.ink ?? .aside,
            points: axis.values.map { sums[$0]?[id]?.rate.flatMap { .init($0) } })
        let before = earlier(id) { figures, id in
            figures.rates.first { $0.id == id }.flatMap { .init($0.proportion) }
        }
        let formula = Metric.all.first { $0.id == id }?.formula
        let ofSending = sheet.frame.cohort == .sentAt ? " of sending" : ""
        let chart = LineChart(
            title: "\(column.title) by \(axis.period.words)\(ofSending)",
            caption: formula.map { "\($0), with the 95 % interval (Wilson)." } ?? "", axis: axis,
            series: [line] + before, isRate: true)
        return [.lines(chart)]
    }

    /// The numbers of the periods that these are compared with; none if nothing is.
    private func earlier(
        _ id: String?, point: (Figures, String) -> LineChart.Point?
    ) -> [LineChart.Series] {
        guard let comparison = sheet.comparison, let id, let column = sheet.column(id),
            sheet.frame.query.by.count == 1
        else { return [] }
        let before = Dictionary(
            comparison.rows.compactMap { row in
                row.key?.parts.first?.value.map { ($0, row.change.before) }
            }, uniquingKeysWith: { first, _ in first })
        return [
            .init(
                name: "\(column.name), earlier window", ink: column.ink ?? .aside,
                points: axis.values.map { before[$0].flatMap { point($0, id) } }, isEarlier: true)
        ]
    }
}

extension SheetValue {
    /// The sum of two counts, or the rate of both together.
    fileprivate static func + (left: SheetValue, right: SheetValue) -> SheetValue {
        switch (left, right) {
        case (.count(let first), .count(let second)): .count(first + second)
        case (.rate(let first, _), .rate(let second, _)):
            .rate(
                Proportion(
                    first.numerator + second.numerator, of: first.denominator + second.denominator,
                    roundedBy: first.roundedBy + second.roundedBy))
        default: left
        }
    }
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
