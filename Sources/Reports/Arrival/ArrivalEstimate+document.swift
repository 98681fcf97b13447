internal import DeliveryModel
internal import Documents

extension ArrivalEstimate {
    /// Members of `rates`: `arrival_capable`, `coverage`, `arrival_estimated`.
    var members: [JSONValue.Member] {
        [
            .init("arrival_capable", arrivalCapable.json), .init("coverage", coverage.json),
            .init("arrival_estimated", estimatedJSON),
        ]
    }

    /// Has the shape of a rate, but its numerator is an estimate and not a whole number. `recaptures`
    /// and `receipt_loss` are what it is based on; `reason` says why there is no estimate.
    private var estimatedJSON: JSONValue {
        let estimated = estimated
        return [
            "numerator": .optional(estimated?.notifications),
            "denominator": .integer(capable[.reportable]),
            "value": .optional(estimated?.value),
            "low": .optional(estimated?.interval.lowerBound),
            "high": .optional(estimated?.interval.upperBound),
            "recaptures": .integer(recaptures),
            "receipt_loss": receiptLoss.json,
            "reason": .optional(obstacle?.description),
        ]
    }

    /// The members if nothing was read.
    static let unreadMembers: [JSONValue.Member] = {
        let unread: JSONValue = [
            "numerator": nil, "denominator": nil, "value": nil, "low": nil, "high": nil,
        ]
        return [
            .init("arrival_capable", unread), .init("coverage", unread),
            .init(
                "arrival_estimated",
                [
                    "numerator": nil, "denominator": nil, "value": nil, "low": nil, "high": nil,
                    "recaptures": nil, "receipt_loss": unread,
                    "reason": .string(ArrivalEstimates.unreadReason),
                ]),
        ]
    }()
}

extension ArrivalEstimates {
    /// The reason why a report has no estimates at all.
    public static let unreadReason =
        "not computed for windows of more than 7 days unless requested (--estimate)"
}
