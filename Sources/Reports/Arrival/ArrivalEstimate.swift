public import DeliveryModel

/// What share of the notifications came to a device, as far as the versions of the app can tell.
public struct ArrivalEstimate: Hashable, Sendable {
    /// Accepted, to whatever version.
    public let accepted: Int64
    /// Of notifications to versions that report; measures that are not needed are 0.
    public let capable: MeasureCounts

    public init(accepted: Int64, capable: MeasureCounts) {
        self.accepted = accepted
        self.capable = capable
    }

    /// A lower bound still: extensions get killed, and their reports lost.
    public var arrivalCapable: Proportion {
        Proportion(capable[.arrivedReportable], of: capable[.reportable])
    }

    /// How much of what was accepted went to versions that report.
    public var coverage: Proportion { Proportion(capable[.accepted], of: accepted) }

    /// Of the notifications that somebody reacted to, those whose arrival nobody reported.
    public var receiptLoss: Proportion { Rate.receiptLoss.proportion(in: capable) }

    /// Both reported by the extension and reacted to.
    public var recaptures: Int64 { capable[.respondedReportable] - capable[.confirmedUnreported] }

    /// With fewer, the estimate says hardly anything.
    public static let fewestRecaptures: Int64 = 30

    /// Why there is no estimate.
    public enum Obstacle: Hashable, Sendable {
        /// None of the known versions reports arrivals. Devices that do not say their version may.
        case nothingReports
        /// Nothing was accepted that an extension could have reported, whatever version it went to.
        case nothingReportable
        case tooFewRecaptures(Int64)
    }

    public var obstacle: Obstacle? {
        if capable[.accepted] == 0, accepted > 0 { return .nothingReports }
        if capable[.reportable] == 0 { return .nothingReportable }
        return recaptures < Self.fewestRecaptures ? .tooFewRecaptures(recaptures) : nil
    }

    /// An estimated number of notifications as a share of the reportable ones.
    public struct Estimated: Hashable, Sendable {
        /// Not a whole number, and at most as many as were reportable.
        public let notifications: Double
        public let reportable: Int64
        public let interval: ClosedRange<Double>

        public var value: Double { notifications / Double(reportable) }
    }

    /// By capture and recapture: the extension's reports are one sighting, reactions (presented, clicked, dismissed)
    /// the other. Nil where there is an ``obstacle``.
    ///
    /// Right as long as a report is lost whether or not somebody reacts.
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

extension ArrivalEstimate.Obstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nothingReports: "no known version of the app reports arrivals here"
        case .nothingReportable: "no accepted notification here could report its arrival"
        case .tooFewRecaptures(let count):
            "only \(count) were both reported and reacted to; \(ArrivalEstimate.fewestRecaptures) are required"
        }
    }
}
