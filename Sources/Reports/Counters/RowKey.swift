internal import PostgresClient

/// The subject of a row: one value for each dimension of the report's breakdown.
public struct RowKey: Hashable, Sendable {
    public struct Part: Hashable, Sendable {
        public let dimension: Dimension
        /// The local date on which a day, week or month begins, the local hour with its offset from UTC,
        /// or a name. `nil` for notifications without a campaign or variant, and for unknown values.
        public let value: String?

        public init(_ dimension: Dimension, _ value: String?) {
            self.dimension = dimension
            self.value = value
        }
    }

    public let parts: [Part]

    public init(_ parts: [Part]) {
        self.parts = parts
    }

    init(_ row: PostgresRow, by dimensions: [Dimension]) throws(PostgresError) {
        var parts: [Part] = []
        var traitColumns = ["first_trait", "second_trait", "third_trait"].makeIterator()
        for dimension in dimensions {
            let column = dimension.isTrait ? traitColumns.next() : nil
            parts.append(
                Part(dimension, try Self.value(of: dimension, in: row, column ?? dimension.rawValue)))
        }
        self.parts = parts
    }

    private static func value(
        of dimension: Dimension, in row: PostgresRow, _ column: String
    ) throws(PostgresError) -> String? {
        switch dimension {
        case .day, .week, .month:
            return LocalTime(clock: try row.get("period"), utcOffsetMinutes: 0).date
        case .hour:
            let offset: Int32 = try row.get("utc_offset_minutes")
            return LocalTime(clock: try row.get("period"), utcOffsetMinutes: Int(offset)).rfc3339
        default:
            let name: String = try row.get(column)
            return name.isEmpty ? nil : name
        }
    }

    /// The value of the breakdown by time; `nil` if there is none.
    var period: String? { parts.first(where: \.dimension.isPeriod)?.value }

    var json: JSONValue {
        .object(parts.map { .init($0.dimension.rawValue, .optional($0.value)) })
    }

    /// The key for messages: `day 2026-03-01, campaign spring`.
    var inWords: String {
        parts.map { "\($0.dimension.rawValue) \($0.value ?? "(none)")" }.joined(separator: ", ")
    }
}

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
