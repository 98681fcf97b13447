internal import Reports

/// The course of a number over the periods of a report, on one line.
struct Trend {
    let name: String
    private let ink: Ink
    /// One count per period; 0 if nothing was sent.
    let counts: [Int64]
    let names: [String]
    private let isEstimate: Bool

    private static let nameWidth = 11

    /// `nil` for a report that is not broken down by periods alone, or has fewer than three of them.
    init?<Row: KeyedRow>(
        _ name: String, _ rows: [Row], _ frame: ReportFrame, ink: Ink, isEstimate: Bool = false,
        count: (Row) -> Int64
    ) {
        let query = frame.query
        guard query.by.count == 1, let period = query.by.first, period.isPeriod else { return nil }
        let axis = PeriodAxis.values(of: period, in: query.window, query.timeZone, asOf: frame.asOf)
        guard axis.count > 2 else { return nil }
        let known = Dictionary(
            rows.map { ($0.key.parts.first?.value ?? "", count($0)) }, uniquingKeysWith: +)
        self.name = name
        self.ink = ink
        self.isEstimate = isEstimate
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

/// A row of any report.
protocol KeyedRow {
    var key: RowKey { get }
}

extension CountedRow: KeyedRow {}
extension ReachReport.Row: KeyedRow {}
