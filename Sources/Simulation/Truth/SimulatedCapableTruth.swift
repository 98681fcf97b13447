/// The outcome of notifications to installations that were registered with a version of the app whose extension reports. The
/// version on the phone when they arrived does not matter.
public struct SimulatedCapableTruth: Sendable, Codable, Equatable {
    public internal(set) var accepted = 0
    public internal(set) var reportable = 0
    /// Reportable, and reported by an extension.
    public internal(set) var arrived = 0
    /// Notifications to all other installations and tokens: reportable, and neither confirmed nor recalled.
    public internal(set) var unconfirmedOfOthers = 0

    enum CodingKeys: String, CodingKey {
        case accepted, reportable, arrived
        case unconfirmedOfOthers = "unconfirmed_of_others"
    }
}

extension SimulatedCapableTruth {
    mutating func add(_ notification: PlannedNotification, isCapable: Bool) {
        guard notification.isAccepted else { return }
        if isCapable {
            accepted += 1
            if notification.isReportable { reportable += 1 }
            if notification.isReportable, notification.was(.arrival) { arrived += 1 }
        } else if notification.isReportable, notification.sightings.isEmpty, notification.recalledAt == nil {
            unconfirmedOfOthers += 1
        }
    }

    mutating func add(_ other: SimulatedCapableTruth) {
        accepted += other.accepted
        reportable += other.reportable
        arrived += other.arrived
        unconfirmedOfOthers += other.unconfirmedOfOthers
    }
}
