internal import Instants

extension RowKey.Part {
    /// `Sun 2026-03-01`, `2026-10-25 02:00 +02:00`, `2026-03`, or the name.
    public var text: String {
        guard let value else { return dimension == .action ? "(tap)" : "(none)" }
        switch dimension {
        case .day: return [weekday(of: value), value].compactMap(\.self).joined(separator: " ")
        case .hour: return "\(value.prefix(10)) \(value.dropFirst(11).prefix(5)) \(value.suffix(6))"
        case .month: return String(value.prefix(7))
        default: return value
        }
    }

    private func weekday(of date: String) -> String? {
        guard let noon = Instant(rfc3339: "\(date)T12:00:00Z") else { return nil }
        let days = noon.millisecondsSinceEpoch / Span.days(1).milliseconds
        // 1970-01-01 was a Thursday.
        return noon.millisecondsSinceEpoch < 0
            ? nil : ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(days % 7)]
    }
}

extension Dimension {
    /// The column's title.
    public var title: String { SheetColumn.capitalized(words) }
}
