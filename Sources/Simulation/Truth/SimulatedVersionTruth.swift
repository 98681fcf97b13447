/// The outcome of the reportable notifications to phones with one version of the app, and the number that no observer could know:
/// how many really arrived.
public struct SimulatedVersionTruth: Sendable, Codable, Equatable {
    public let appVersion: String
    /// Its extension reports arrivals.
    public let hasExtension: Bool
    public internal(set) var reportable = 0
    /// On the phone, whether or not it was reported.
    public internal(set) var shown = 0
    /// Reported by the extension.
    public internal(set) var arrived = 0
    /// Presented, clicked or dismissed.
    public internal(set) var responded = 0
    /// Presented, clicked or dismissed, but not reported by the extension.
    public internal(set) var respondedUnreported = 0

    enum CodingKeys: String, CodingKey {
        case appVersion = "app_version"
        case hasExtension = "has_extension"
        case reportable, shown, arrived, responded
        case respondedUnreported = "responded_unreported"
    }
}

extension SimulatedVersionTruth {
    mutating func add(_ notification: PlannedNotification) {
        guard notification.isReportable else { return }
        reportable += 1
        if notification.wasShown { shown += 1 }
        let hasArrived = notification.was(.arrival)
        if hasArrived { arrived += 1 }
        guard notification.sightings.contains(where: { $0.kind != .arrival }) else { return }
        responded += 1
        if !hasArrived { respondedUnreported += 1 }
    }
}
