public import DeliveryModel

/// The result of a report: the figures, and the frame that must be stated with each of them.
public protocol Report: Sendable {
    var frame: ReportFrame { get }
    /// Whether nothing was recorded in the window.
    var isEmpty: Bool { get }
    /// The report as one JSON document, in the contract's order.
    var document: JSONValue { get }
    /// Sorts and limits the rows. Totals, and the rows of another window, stay as they are.
    mutating func arrange(_ order: RowOrder) throws(ReportError)
}

/// The frame without which a figure means nothing: its app, its window and time zone, its unit, and
/// the time at which it was known.
public struct ReportFrame: Hashable, Sendable {
    public enum Unit: String, Sendable {
        case notifications
        case installations
        case tokens
    }

    /// The instant by which something counts in a window.
    public enum Cohort: String, Sendable {
        case sentAt = "sent_at"
        case registeredAt = "registered_at"
    }

    /// `funnel`, `reach`, …
    public let report: String
    public let query: ReportQuery
    public let unit: Unit
    public var cohort = Cohort.sentAt
    /// The instant at which the figures were read. Later responses, arrivals and clicks are not included.
    public let asOf: Instant
    /// The number of rows that ``RowOrder/limit`` left out.
    public internal(set) var rowsLeftOut = 0

    /// The document's first members. Instants are in local time with its offset from UTC.
    var members: [JSONValue.Member] {
        let zone = query.timeZone
        var members: [JSONValue.Member] = [
            .init("report", .string(report)), .init("app", .string(query.app.slug)),
            .init("from", .string(zone.rfc3339(query.window.from))),
            .init("to", .string(zone.rfc3339(query.window.to))), .init("time_zone", .string(zone.name)),
            .init("cohort", .string(cohort.rawValue)), .init("unit", .string(unit.rawValue)),
            .init("as_of", .string(zone.rfc3339(asOf))),
        ]
        members += JSONValue.Member.cutPeriods(query.cutPeriods)
        if rowsLeftOut > 0 { members.append(.init("rows_left_out", .integer(Int64(rowsLeftOut)))) }
        if !query.filters.isEmpty {
            let filters = query.filters.map { filter in
                JSONValue.Member(filter.dimension.rawValue, .array(filter.values.map { .string($0) }))
            }
            members.append(.init("filters", .object(filters)))
        }
        return members
    }
}
