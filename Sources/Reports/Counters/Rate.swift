public import DeliveryModel

/// A rate of the reports: one measure as a share of another. The id is the key in JSON and the column in CSV.
public struct Rate: Hashable, Sendable {
    public let id: String
    public let numerator: Measure
    public let denominator: Measure

    /// Called delivery rate by other systems.
    public static let acceptance = Rate(id: "acceptance", numerator: .accepted, denominator: .attempted)
    /// A lower bound: if the extension is killed, muted or absent, an arrival is not reported.
    public static let arrival = Rate(id: "arrival", numerator: .arrivedReportable, denominator: .reportable)
    public static let clickThrough = Rate(id: "click_through", numerator: .clicked, denominator: .confirmed)
    public static let clickPerAccepted = Rate(
        id: "click_per_accepted", numerator: .clicked, denominator: .accepted)
    public static let dismissal = Rate(id: "dismissal", numerator: .dismissed, denominator: .confirmed)
    /// The share of notifications with a reaction whose arrival was not reported.
    public static let receiptLoss = Rate(
        id: "receipt_loss", numerator: .confirmedUnreported, denominator: .respondedReportable)

    /// Every rate that is computed from measures.
    static let all = [acceptance, arrival, clickThrough, clickPerAccepted, dismissal, receiptLoss]

    public func proportion(in counts: MeasureCounts) -> Proportion {
        counts.share(counts[numerator], of: counts[denominator])
    }
}

extension Proportion {
    /// Value and interval are fractions, and null if the denominator is 0.
    package var json: JSONValue { .object(jsonMembers) }

    var jsonMembers: [JSONValue.Member] {
        [
            .init("numerator", .integer(numerator)), .init("denominator", .integer(denominator)),
            .init("value", .optional(value)), .init("low", .optional(interval?.lowerBound)),
            .init("high", .optional(interval?.upperBound)),
        ]
    }
}

extension Rate {
    /// The reason why a rate over `confirmed` is too high: if few arrivals are reported, the confirmed
    /// notifications are mostly those with a reaction, and nearly all of them were clicked. `nil` if enough
    /// arrivals were reported, and for other rates.
    public func caveat(in counts: MeasureCounts) -> String? {
        guard denominator == .confirmed, counts[numerator] > 0, counts.confirmsMostlyReactions else {
            return nil
        }
        return "few arrivals are reported, so confirmed is mostly what users reacted to"
    }
}

extension MeasureCounts {
    /// Whether at least half of the confirmed notifications have no reported arrival, or at least four in
    /// five of the reactions have none. The share of reactions with a reported arrival is the share of
    /// arrivals that get reported.
    var confirmsMostlyReactions: Bool {
        let confirmed = self[.confirmed]
        guard confirmed > 0 else { return false }
        let unreported = confirmed - self[.arrived]
        let reactions = self[.presented] + self[.clicked] + self[.dismissed]
        return unreported * 2 >= confirmed || unreported > 0 && unreported * 5 >= reactions * 4
    }
}
