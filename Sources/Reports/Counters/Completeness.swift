public import DeliveryModel
internal import Documents
public import Instants
internal import PostgresClient

/// The part of a window that is so recent that arrivals and clicks are still coming in. Reports of
/// responses alone, such as rejections, have none: a response comes with the attempt. Nor has one that was not read from a database.
public struct Completeness: Hashable, Sendable {
    /// The time after sending in which an arrival may still be expected.
    public static let arrivalWindow = Span.hours(24)

    /// Accepted notifications younger than the arrival window, by whole quarter hours of sending.
    public let young: Int64
    public let accepted: Int64

    public var share: Proportion { Proportion(young, of: accepted) }

    /// The first quarter hour that counts as young.
    static func youngFrom(_ asOf: Instant) -> Instant { (asOf - arrivalWindow).startOfQuarter }

    /// - Parameter accepted: the count of the query's whole window.
    static func read(
        _ query: ReportQuery, accepted: Int64, asOf: Instant, on connection: PostgresConnection
    ) throws -> Completeness {
        let from = max(query.window.from, youngFrom(asOf))
        guard from < query.window.to else { return Completeness(young: 0, accepted: accepted) }
        let young = query.with(window: try ReportWindow(from: from, to: query.window.to))
        let counts = try Counters(young, on: connection).totals()
        try AddingUp(report: "completeness")
            .check(Proportion(counts[.accepted], of: accepted), "young", place: "the last day")
        return Completeness(young: counts[.accepted], accepted: accepted)
    }

    /// `completeness` of the document.
    var json: JSONValue {
        [
            "arrival_window_hours": .integer(Self.arrivalWindow.milliseconds / Span.hours(1).milliseconds),
            "young": .integer(young),
            "accepted": .integer(accepted),
        ]
    }
}
