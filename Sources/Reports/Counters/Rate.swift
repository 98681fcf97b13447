public import DeliveryModel
internal import Documents

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
    var json: JSONValue { .object(jsonMembers) }

    var jsonMembers: [JSONValue.Member] {
        [
            .init("numerator", .integer(numerator)), .init("denominator", .integer(denominator)),
            .init("value", .optional(value)), .init("low", .optional(interval?.lowerBound)),
            .init("high", .optional(interval?.upperBound)),
        ]
    }
}
