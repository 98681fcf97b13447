internal import DeliveryModel
internal import Reports

extension CounterReport {
    /// What stands below the tables: how complete the window is, variants.
    func sections(_ style: OutputStyle) -> [[String]] {
        CompletenessLine.sections(context.completeness, style)
            + (variantComparisons.isEmpty ? [] : [VariantTable(variantComparisons, style).lines])
    }
}

extension ArrivalEstimate {
    /// The lines below a funnel.
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
                    ?? "including lost receipts: \(lossText) of \(grouped(capable[.respondedReportable])) reactions"
            ),
        ]
    }

    /// `96.8 % (95.9–97.7)`, as rates are written.
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

    /// Empty where nothing was read.
    static func fields(_ estimate: ArrivalEstimate?) -> [CSVField] {
        guard let estimate else { return columns.map { _ in .number(nil) } }
        let estimated = estimate.estimated
        return estimate.arrivalCapable.fields + [
            .number(estimate.coverage.value), .number(estimated?.value),
            .number(estimated?.interval.lowerBound), .number(estimated?.interval.upperBound),
        ]
    }
}
