public import DeliveryModel

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
    /// The parts of pending and of unexplained that a later push replaced; `nil` if they were not searched for.
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
