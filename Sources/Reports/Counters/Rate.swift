public import DeliveryModel
internal import Documents

/// A rate of the reports: which measure of which. The id is the key in JSON and the column in CSV.
public struct Rate: Hashable, Sendable {
    public let id: String
    public let numerator: Measure
    public let denominator: Measure

    /// What others call delivery rate.
    public static let acceptance = Rate(id: "acceptance", numerator: .accepted, denominator: .attempted)
    /// A lower bound: the extension can be killed, muted or absent, and then an arrival goes unreported.
    public static let arrival = Rate(id: "arrival", numerator: .arrivedReportable, denominator: .reportable)
    public static let clickThrough = Rate(id: "click_through", numerator: .clicked, denominator: .confirmed)
    public static let clickPerAccepted = Rate(
        id: "click_per_accepted", numerator: .clicked, denominator: .accepted)
    public static let dismissal = Rate(id: "dismissal", numerator: .dismissed, denominator: .confirmed)
    /// Of what somebody reacted to, what the extension did not report.
    public static let receiptLoss = Rate(
        id: "receipt_loss", numerator: .confirmedUnreported, denominator: .respondedReportable)

    /// Every rate that is made of measures.
    static let all = [acceptance, arrival, clickThrough, clickPerAccepted, dismissal, receiptLoss]

    public func proportion(in counts: MeasureCounts) -> Proportion {
        Proportion(counts[numerator], of: counts[denominator])
    }
}

extension Proportion {
    /// Value and interval are fractions, and null when the denominator is 0.
    var json: JSONValue { .object(jsonMembers) }

    var jsonMembers: [JSONValue.Member] {
        [
            .init("numerator", .integer(numerator)), .init("denominator", .integer(denominator)),
            .init("value", .optional(value)), .init("low", .optional(interval?.lowerBound)),
            .init("high", .optional(interval?.upperBound)),
        ]
    }
}
