internal import Reports

/// A bar with the length of a fraction of its full width.
package enum Bar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Blocks of eighths of a column, or `#` in ASCII, not padded. Any fraction above 0 is visible.
    ///
    /// - Parameter fraction: of the full width; limited to 0 through 1.
    package static func text(_ fraction: Double, width: Int, _ style: OutputStyle) -> String {
        let fraction = min(max(fraction, 0), 1)
        guard fraction > 0, width > 0 else { return "" }
        guard style.usesUnicode else {
            return String(repeating: "#", count: max(1, Int((fraction * Double(width)).rounded())))
        }
        let (full, rest) = max(1, Int((fraction * Double(width) * 8).rounded())).quotientAndRemainder(
            dividingBy: 8)
        return String(repeating: "█", count: full) + (rest == 0 ? "" : String(eighths[rest - 1]))
    }

    /// The bar for a part of a whole; empty if the whole is 0.
    static func text(_ part: Int64, of whole: Int64, width: Int, _ style: OutputStyle) -> String {
        guard whole > 0 else { return "" }
        return text(Double(part) / Double(whole), width: width, style)
    }
}

/// Numbers as one row of small bars.
package enum Sparkline {
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let signs: [Character] = ["_", "-", "~", "=", "+", "*", "#", "@"]

    /// One character per number, the tallest for the largest. 0 is a dot, and any number above 0 is distinct
    /// from it. Negative numbers count as 0.
    package static func text(_ values: [Int64], _ style: OutputStyle) -> String {
        let levels = style.usesUnicode ? blocks : signs
        let largest = values.max() ?? 0
        return String(
            values.map { value -> Character in
                guard value > 0, largest > 0 else { return style.usesUnicode ? "·" : "." }
                let level = (Double(value) / Double(largest) * Double(levels.count)).rounded(.up)
                return levels[min(levels.count, max(1, Int(level))) - 1]
            })
    }

    /// The values in at most `columns` columns. If there are more values, neighbors are added up in groups of
    /// equal size, except the first group.
    static func fitted(_ values: [Int64], columns: Int) -> [Int64] {
        guard columns > 0 else { return [] }
        guard values.count > columns else { return values }
        let step = (values.count + columns - 1) / columns
        var sums: [Int64] = []
        var end = values.count
        while end > 0 {
            let start = max(0, end - step)
            sums.append(values[start..<end].reduce(0, +))
            end = start
        }
        return sums.reversed()
    }
}

extension Sheet {
    /// The course of a column of counts over a report's periods, as a sparkline, and the period of its peak.
    /// `nil` for a report not broken down by periods alone, or with fewer than three; empty if all are 0.
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
