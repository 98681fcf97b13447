public import DeliveryModel

/// The reason why no device confirmed a notification that the provider accepted. In order of precedence: each
/// counts under the first reason that applies. The raw value is the key in JSON and the column in CSV.
public enum Loss: String, CaseIterable, Sendable {
    /// The sender withdrew it.
    case recalled
    /// No extension could have reported it: a background push, or no mutable-content.
    case notReportable = "not_reportable"
    /// Sent to a version of the app that does not report arrivals, or to an unknown one.
    case notCapable = "not_capable"
    /// Alerts were not allowed on the device at the time of sending.
    case permissionOff = "permission_off"
    /// A later accepted push with the same collapse id went to the same target. Counted only for
    /// selected campaigns, from their notifications.
    case superseded
    /// Younger than the arrival window.
    case pending
    case unexplained

    /// Permissions under which the system shows nothing and runs no extension.
    static let permissionsOff = ["denied", "not_determined"]
}

/// The losses of notifications from the attempt to the click.
public struct LossCounts: Hashable, Sendable {
    /// The counters: attempted, accepted, rejected by class, confirmed, clicked.
    public let counts: MeasureCounts
    /// Accepted and unconfirmed, by reason; `superseded` is absent if it was not counted.
    public let losses: [Loss: Int64]

    /// `nil` if it was not counted.
    public subscript(loss: Loss) -> Int64? { losses[loss] }

    public var unconfirmed: Int64 { counts[.accepted] - counts[.confirmed] }
}

/// The counts from rows of notifications and segments that complement the counters.
struct UnconfirmedCounts {
    var notCapable: Int64 = 0
    var permissionOff: Int64 = 0
    var pending: Int64 = 0
    var unexplained: Int64 = 0
    /// The parts of pending and of unexplained that a later push replaced; `nil` if not searched for.
    var superseded: (ofPending: Int64, ofUnexplained: Int64)?

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.notCapable += right.notCapable
        sum.permissionOff += right.permissionOff
        sum.pending += right.pending
        sum.unexplained += right.unexplained
        if let replaced = right.superseded {
            let (ofPending, ofUnexplained) = left.superseded ?? (ofPending: 0, ofUnexplained: 0)
            sum.superseded = (ofPending + replaced.ofPending, ofUnexplained + replaced.ofUnexplained)
        }
        return sum
    }
}

extension LossCounts {
    init(_ counts: MeasureCounts, _ unconfirmed: UnconfirmedCounts) {
        let (ofPending, ofUnexplained) = unconfirmed.superseded ?? (ofPending: 0, ofUnexplained: 0)
        var losses: [Loss: Int64] = [
            .recalled: counts[.unconfirmedRecalled],
            .notReportable: counts[.unconfirmedNotReportable],
            .notCapable: unconfirmed.notCapable,
            .permissionOff: unconfirmed.permissionOff,
            .pending: unconfirmed.pending - ofPending,
            .unexplained: unconfirmed.unexplained - ofUnexplained,
        ]
        if unconfirmed.superseded != nil { losses[.superseded] = ofPending + ofUnexplained }
        self.init(counts: counts, losses: losses)
    }
}
