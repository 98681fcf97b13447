internal import DeliveryModel
internal import Reports

extension CounterReport {
    /// `nil` if the report is not broken down by variants alone.
    func variants(_ style: OutputStyle) -> VariantTable? {
        variantComparisons.isEmpty ? nil : VariantTable(variantComparisons, style)
    }
}

extension ArrivalEstimate {
    /// The remarks below a funnel.
    func remarks(_ style: OutputStyle) -> [Remark] {
        let share = coverage.value.map {
            "\(percent($0)) % of accepted notifications went to versions that report"
        }
        return [
            Remark(
                name: "arrival, capable",
                value: arrivalCapable.value.map { "\(style.atLeast) \(percent($0)) %" } ?? style.nothing,
                meaning: share ?? "nothing was accepted"),
            Remark(
                name: "arrival, estimated", value: estimatedText(style),
                meaning: obstacle?.description
                    ?? "including lost receipts: \(lossText) of \(grouped(capable[.respondedReportable])) other sightings"
            ),
        ]
    }

    /// `96.8 % (95.9–97.7)`, in the format of rates.
    func estimatedText(_ style: OutputStyle) -> String {
        guard let estimated else { return style.nothing }
        guard !style.isNarrow else { return "\(percent(estimated.value)) %" }
        let interval = estimated.interval
        return
            "\(percent(estimated.value)) % (\(percent(interval.lowerBound))\(style.dash)\(percent(interval.upperBound)))"
    }

    private var lossText: String { receiptLoss.value.map { "\(percent($0)) %" } ?? "none" }
}

extension ArrivalEstimate {
    static let columns =
        Proportion.columns("arrival_capable") + ["coverage"] + Proportion.columns("arrival_estimated")

    /// The fields of an estimate; empty if nothing was read.
    static func fields(_ estimate: ArrivalEstimate?) -> [CSVField] {
        guard let estimate else { return columns.map { _ in .number(nil) } }
        let estimated = estimate.estimated
        return estimate.arrivalCapable.fields + [
            .number(estimate.coverage.value), .number(estimated?.value),
            .number(estimated?.interval.lowerBound), .number(estimated?.interval.upperBound),
        ]
    }
}
