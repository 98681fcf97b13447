internal import DeliveryModel
internal import Reports

/// A sheet's rows over time; breakdowns by name are in the table, with bars.
struct SheetCharts {
    private let sheet: Sheet
    private let course: SheetCourse
    /// The period of the rows, and its position in their keys; `nil` if there is nothing to draw.
    private let axis: (axis: TimeAxis, position: Int)?

    init(_ sheet: Sheet) {
        self.sheet = sheet
        course = sheet.course ?? SheetCourse(series: [], caption: nil, addsUp: false)
        let by = sheet.frame.query.by
        guard sheet.course != nil, let position = by.firstIndex(where: \.isPeriod),
            course.addsUp || by.count == 1, let axis = TimeAxis(sheet.frame, by[position])
        else {
            axis = nil
            return
        }
        self.axis = (axis, position)
    }

    /// The counts of each series over time, by its id; 0 in a period without any. None if there is no period.
    var courses: [String: [Int64]] {
        guard let axis = axis?.axis else { return [:] }
        let sums = sums
        return Dictionary(
            uniqueKeysWithValues: course.series.map { id in
                (id, axis.values.map { Int64(sums[$0]?[id]?.number ?? 0) })
            })
    }

    var sections: [HTMLSection] {
        guard let axis = axis?.axis, let caption = course.caption else { return [] }
        let (sums, words) = (sums, axis.period.words)
        let lines = course.series.compactMap { id -> LineChart.Series? in
            guard let column = sheet.column(id) else { return nil }
            let prefix = sheet.total(id).isEstimate ? OutputStyle.page.nearly : ""
            return .init(
                name: column.name, ink: column.ink ?? .aside,
                points: axis.values.map { .init(sums[$0]?[id]?.count ?? 0, prefix: prefix) })
        }
        var chart = LineChart(
            title: course.title.replacing("{period}", with: words),
            caption: caption.replacing("{period}", with: words), axis: axis,
            series: lines
                + earlier(course.series.first, axis) { figures, id in
                    figures.counts.first { $0.id == id }?.value.map { .init($0) }
                })
        if sheet.frame.query.by.count == 1 { chart.table = PageTable(SheetTable(sheet, .page).table) }
        return [.lines(chart)] + rates(axis, sums)
    }

    private var ofSending: String { sheet.frame.cohort == .sentAt ? " of sending" : "" }

    private func rates(_ axis: TimeAxis, _ sums: [String: [String: SheetValue]]) -> [HTMLSection] {
        guard let id = course.rate, let column = sheet.column(id) else { return [] }
        let line = LineChart.Series(
            name: column.name, ink: column.ink ?? .aside,
            points: axis.values.map { sums[$0]?[id]?.rate.flatMap { .init($0) } })
        let chart = LineChart(
            title: "\(column.title) by \(axis.period.words)\(ofSending)",
            caption: Metric.all.first { $0.id == id }.map {
                "\($0.formula), with the 95 % interval (Wilson)."
            } ?? "",
            axis: axis,
            series: [line]
                + earlier(id, axis) { figures, id in
                    figures.rates.first { $0.id == id }.flatMap { .init($0.proportion) }
                }, isRate: true)
        return [.lines(chart)]
    }

    /// The values of each period, added up over the other dimension.
    private var sums: [String: [String: SheetValue]] {
        guard let position = axis?.position else { return [:] }
        let shown = (course.series + [course.rate].compactMap(\.self))
            .compactMap { id in sheet.position(of: id).map { (id: id, column: $0) } }
        return sheet.rows.reduce(into: [:]) { sums, row in
            let period = row.key.parts[position].value ?? ""
            for (id, column) in shown {
                sums[period, default: [:]][id] =
                    (sums[period]?[id]).map { $0 + row.values[column] } ?? row.values[column]
            }
        }
    }

    /// The numbers of the periods that these are compared with; none if nothing is.
    private func earlier(
        _ id: String?, _ axis: TimeAxis, point: (Figures, String) -> LineChart.Point?
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
