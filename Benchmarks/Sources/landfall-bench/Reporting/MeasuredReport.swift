internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// One report whose time is measured.
struct MeasuredReport: Sendable {
    /// How long it may take, and how much longer where ten times as many notifications lie in the window.
    enum Goal: String, Sendable, Encodable {
        /// Of the headline counters.
        case headline
        /// Of the counters by segment.
        case breakdown
        /// Of sketches.
        case sketched
        /// Of notifications: as long as it takes.
        case none

        var mostMilliseconds: Double? {
            switch self {
            case .headline: 30
            case .breakdown: 150
            case .sketched: 50
            case .none: nil
            }
        }

        var mostGrowth: Double? { self == .headline ? 1.5 : nil }
    }

    typealias Question = @Sendable (ReportQuery, PostgresConnection, Instant) throws -> any Report

    /// For people.
    let name: String
    let by: [Dimension]
    var timeZone: String?
    let goal: Goal
    /// For what takes seconds per million notifications.
    var isAskedOnce = false
    let ask: Question

    /// Whether an exact answer would be another measurement.
    var isEstimated: Bool { name == Self.sketchedReach }
    static let sketchedReach = "reach, sketched"

    /// `funnel by day, Europe/Berlin`.
    var title: String {
        let words = by.isEmpty ? name : "\(name) by \(by.map(\.rawValue).joined(separator: ","))"
        return timeZone.map { "\(words), \($0)" } ?? words
    }
}
