internal import Documents
internal import PostgresClient
internal import Wording

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
