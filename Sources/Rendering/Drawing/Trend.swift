internal import Reports

extension Sheet {
    /// The course of a column of counts over the periods of a report, as a sparkline, and the period of its peak. `nil` for a report
    /// that is not broken down by periods alone, or has fewer than three of them; empty if all are 0.
    func trend(_ id: String, _ style: OutputStyle) -> [String]? {
        let query = frame.query
        guard query.by.count == 1, let period = query.by.first, period.isPeriod,
            let position = position(of: id)
        else { return nil }
        let axis = PeriodAxis.values(of: period, in: query.window, query.timeZone, asOf: frame.asOf)
        guard axis.count > 2 else { return nil }
        let known = Dictionary(
            rows.map { ($0.key.parts.first?.value ?? "", $0.values[position].count ?? 0) },
            uniquingKeysWith: +)
        let counts = axis.map { known[$0] ?? 0 }
        guard let peak = counts.max(), peak > 0, let place = counts.firstIndex(of: peak) else { return [] }
        let column = columns[position]
        let nameWidth = 11
        let room = (style.width ?? 100) - nameWidth
        let sign = totals[position].isEstimate ? style.nearly : ""
        let words = "  peak \(sign)\(grouped(peak)), \(RowKey.Part(period, axis[place]).text)"
        // On a narrow terminal, only the table above shows the peak.
        let hasWords = room - displayWidth(words) >= 12
        let width = hasWords ? room - displayWidth(words) : room
        let spark = Sparkline.text(Sparkline.fitted(counts, columns: width), style)
        return [
            padded(column.name, to: nameWidth) + style.paint(spark, column.ink ?? .aside)
                + style.paint(hasWords ? words : "", .aside)
        ]
    }
}
