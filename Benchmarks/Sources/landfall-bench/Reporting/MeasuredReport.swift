internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// One report whose time is measured.
struct MeasuredReport: Sendable {
    /// The longest time a report may take, and how much longer with ten times as many notifications in the
    /// window.
    enum Goal: String, Sendable, Encodable {
        /// For reports from headline counters.
        case headline
        /// For reports from headline counters that show 720 hours.
        case hourly
        /// For reports from counters by segment.
        case breakdown
        /// For reports from sketches.
        case sketched
        /// For pages of the console, from the request to the last byte.
        case page
        /// For reports from notifications: no limit.
        case none

        var mostMilliseconds: Double? {
            switch self {
            case .headline: 30
            case .hourly: 250
            case .breakdown: 150
            case .sketched: 50
            case .page: 100
            case .none: nil
            }
        }

        var mostGrowth: Double? { self == .headline ? 1.5 : nil }
    }

    typealias Question = @Sendable (ReportQuery, PostgresConnection, Instant) throws -> any Report

    let name: String
    let by: [Dimension]
    var timeZone: String?
    let goal: Goal
    /// For reports that take seconds per million notifications.
    var isAskedOnce = false
    let ask: Question

    /// True if the report is an estimate, so that the exact report would be another measurement.
    var isEstimated: Bool { name == Self.sketchedReach }
    static let sketchedReach = "reach, sketched"

    /// `funnel by day, Europe/Berlin`.
    var title: String {
        let words = by.isEmpty ? name : "\(name) by \(by.map(\.rawValue).joined(separator: ","))"
        return timeZone.map { "\(words), \($0)" } ?? words
    }
}
