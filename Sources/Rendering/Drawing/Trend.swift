internal import Reports

/// The course of a number over the periods of a report, on one line.
struct Trend {
    private let name: String
    private let ink: Ink
    /// One count per period; 0 if nothing was sent.
    private let counts: [Int64]
    private let names: [String]
    private let isEstimate: Bool

    private static let nameWidth = 11

    /// `nil` for a report that is not broken down by periods alone, or has fewer than three of them.
    ///
    /// - Parameter id: the id of a column of counts.
    init?(_ id: String, _ sheet: Sheet) {
        let query = sheet.frame.query
        guard query.by.count == 1, let period = query.by.first, period.isPeriod,
            let position = sheet.position(of: id)
        else { return nil }
        let axis = PeriodAxis.values(
            of: period, in: query.window, query.timeZone, asOf: sheet.frame.asOf)
        guard axis.count > 2 else { return nil }
        let column = sheet.columns[position]
        let known = Dictionary(
            sheet.rows.map { ($0.key.parts.first?.value ?? "", $0.values[position].count ?? 0) },
            uniquingKeysWith: +)
        name = column.name
        ink = column.ink ?? .aside
        isEstimate = sheet.totals[position].isEstimate
        counts = axis.map { known[$0] ?? 0 }
        names = axis.map { RowKey.Part(period, $0).text }
    }

    /// The sparkline, and the period of its peak.
    func lines(_ style: OutputStyle) -> [String] {
        guard let peak = counts.max(), peak > 0, let place = counts.firstIndex(of: peak) else { return [] }
        let room = (style.width ?? 100) - Self.nameWidth
        let words = "  peak \(isEstimate ? style.nearly : "")\(grouped(peak)), \(names[place])"
        // On a narrow terminal, only the table above shows the peak.
        let hasWords = room - displayWidth(words) >= 12
        let columns = hasWords ? room - displayWidth(words) : room
        let spark = Sparkline.text(Sparkline.fitted(counts, columns: columns), style)
        return [
            padded(name, to: Self.nameWidth) + style.paint(spark, ink)
                + style.paint(hasWords ? words : "", .aside)
        ]
    }
}
