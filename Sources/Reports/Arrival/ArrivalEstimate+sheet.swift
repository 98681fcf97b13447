internal import DeliveryModel
internal import Documents
internal import Wording

extension ArrivalEstimate {
    /// The columns of estimates. The estimated rate has the shape of a rate, but its numerator is not a whole number.
    static var fields: [SheetField<EstimatedCounts>] {
        [
            SheetField(SheetColumn("arrival_capable", .rate, in: [.rows, .totals, .csv])) {
                $0.arrivals.map { .rate($0.arrivalCapable) } ?? .estimatedRate(.unknown)
            },
            SheetField(SheetColumn("coverage", .rate, in: [.rows, .totals, .csv], isPlain: true)) {
                $0.arrivals.map { .rate($0.coverage) } ?? .estimatedRate(.unknown)
            },
            SheetField(
                SheetColumn("arrival_estimated", .rate, title: "Estimated", in: [.rows, .totals, .csv])
            ) { .estimatedRate($0.arrivals?.estimatedRate ?? .unread) },
        ]
    }

    /// Its basis: `recaptures`, `receipt_loss`, and in `reason` why there is no estimate.
    var estimatedRate: EstimatedRate {
        EstimatedRate(
            numerator: estimated?.notifications, denominator: capable[.reportable], value: estimated?.value,
            interval: estimated?.interval,
            basis: [
                .init("recaptures", .integer(recaptures)), .init("receipt_loss", receiptLoss.json),
                .init("reason", .optional(obstacle?.description)),
            ])
    }

    /// The remarks below a funnel.
    var remarks: [SheetRemark] {
        let share = coverage.value.map {
            "\(Words.percent($0)) % of accepted notifications went to versions that report"
        }
        let loss = receiptLoss.value.map { "\(Words.percent($0)) %" } ?? "none"
        return [
            SheetRemark(
                "arrival, capable", .rate(arrivalCapable), share ?? "nothing was accepted",
                form: .atLeast, id: "arrival_capable"),
            SheetRemark(
                "arrival, estimated", .estimatedRate(estimatedRate),
                obstacle?.description
                    ?? "including lost receipts: \(loss) of \(Words.number(capable[.respondedReportable])) other sightings",
                id: "arrival_estimated"),
        ]
    }
}

extension EstimatedRate {
    /// The members of an estimate if nothing was read.
    fileprivate static let unread: EstimatedRate = {
        var rate = EstimatedRate.unknown
        rate.basis = [
            .init("recaptures", nil),
            .init(
                "receipt_loss", ["numerator": nil, "denominator": nil, "value": nil, "low": nil, "high": nil]),
            .init("reason", .string(ArrivalEstimates.unreadReason)),
        ]
        return rate
    }()
}

extension ArrivalEstimates {
    /// The reason why a report has no estimates at all.
    public static let unreadReason =
        "not computed for windows of more than 7 days unless requested (--estimate)"
}
