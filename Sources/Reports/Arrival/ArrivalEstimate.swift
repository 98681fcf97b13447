public import DeliveryModel

/// The share of notifications that arrived on a device, as far as the versions of the app can tell.
public struct ArrivalEstimate: Hashable, Sendable {
    /// Accepted notifications, to any version.
    public let accepted: Int64
    /// Counts of notifications to versions that report arrivals; measures that are not needed are 0.
    public let capable: MeasureCounts

    public init(accepted: Int64, capable: MeasureCounts) {
        self.accepted = accepted
        self.capable = capable
    }

    /// Still a lower bound: extensions can be killed, and their arrivals lost.
    public var arrivalCapable: Proportion {
        Proportion(capable[.arrivedReportable], of: capable[.reportable])
    }

    /// The share of accepted notifications that went to versions that report arrivals.
    public var coverage: Proportion { Proportion(capable[.accepted], of: accepted) }

    /// The share of notifications with a reaction whose arrival was not reported.
    public var receiptLoss: Proportion { Rate.receiptLoss.proportion(in: capable) }

    /// Notifications with both an arrival and a reaction.
    public var recaptures: Int64 { capable[.respondedReportable] - capable[.confirmedUnreported] }

    /// The number of recaptures below which the estimate means little.
    public static let fewestRecaptures: Int64 = 30

    /// The reason why there is no estimate.
    public enum Obstacle: Hashable, Sendable, CustomStringConvertible {
        /// None of the known versions reports arrivals. Devices that do not state their version may do so.
        case nothingReports
        /// No accepted notification could report its arrival, whatever version it went to.
        case nothingReportable
        case tooFewRecaptures(Int64)

        public var description: String {
            switch self {
            case .nothingReports: "no known version of the app reports arrivals here"
            case .nothingReportable: "no accepted notification here could report its arrival"
            case .tooFewRecaptures(let count):
                "only \(count) were both reported and seen otherwise; \(ArrivalEstimate.fewestRecaptures) are required"
            }
        }
    }

    public var obstacle: Obstacle? {
        if capable[.accepted] == 0, accepted > 0 { return .nothingReports }
        if capable[.reportable] == 0 { return .nothingReportable }
        return recaptures < Self.fewestRecaptures ? .tooFewRecaptures(recaptures) : nil
    }

    /// An estimated number of notifications as a share of the reportable ones.
    public struct Estimated: Hashable, Sendable {
        /// Not a whole number; at most the number of reportable notifications.
        public let notifications: Double
        public let reportable: Int64
        public let interval: ClosedRange<Double>

        public var value: Double { notifications / Double(reportable) }
    }

    /// Estimates by capture and recapture: arrivals are one sighting, all others (presented,
    /// clicked, dismissed, witnessed) the other. `nil` if there is an ``obstacle``.
    ///
    /// Correct as long as the loss of an arrival does not depend on whether there is another sighting.
    public var estimated: Estimated? {
        let reportable = capable[.reportable]
        guard obstacle == nil,
            let sightings = CaptureRecapture(
                first: capable[.arrivedReportable], second: capable[.respondedReportable],
                recaptured: recaptures)
        else { return nil }
        let (all, interval) = (Double(reportable), sightings.interval)
        return Estimated(
            notifications: min(sightings.estimate, all), reportable: reportable,
            interval: min(interval.lowerBound / all, 1)...min(interval.upperBound / all, 1))
    }
}
