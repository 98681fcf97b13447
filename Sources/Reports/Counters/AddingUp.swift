internal import DeliveryModel

/// The rules that the numbers of one report must satisfy. A report is checked before anyone sees
/// it: a funnel whose stages do not add up would be believed.
struct AddingUp {
    let report: String

    /// In each pair, the first measure counts a part of what the second one counts.
    private static let parts: [(part: Measure, whole: Measure)] = [
        (.accepted, .attempted), (.reportable, .accepted), (.confirmed, .accepted),
        (.arrived, .confirmed), (.presented, .confirmed), (.clicked, .confirmed), (.dismissed, .confirmed),
        (.arrivedReportable, .arrived), (.arrivedReportable, .reportable),
        (.confirmedUnreported, .reportable), (.confirmedUnreported, .confirmed),
        (.respondedReportable, .reportable), (.respondedReportable, .confirmed),
        (.confirmedUnreported, .respondedReportable),
        (.conflicting, .attempted), (.contradicted, .attempted), (.misdirected, .attempted),
        (.confirmedSigned, .confirmed),
    ]

    func check(_ counts: MeasureCounts, place: String) throws(ReportError) {
        for measure in Measure.allCases {
            try require(counts[measure], >=, 0, "\(measure.rawValue) ≥ 0", place)
        }
        for rule in Self.parts {
            let (part, whole) = (counts[rule.part], counts[rule.whole])
            try require(part, <=, whole, "\(rule.part.rawValue) ≤ \(rule.whole.rawValue)", place)
        }
        for rate in Rate.all { try check(rate.proportion(in: counts), rate.id, place: place) }
        // Every attempt was either accepted or rejected for exactly one class of reason.
        let responded = RejectionClass.allCases.reduce(counts[.accepted]) { $0 + counts[.rejected($1)] }
        try require(counts[.attempted], ==, responded, "attempted = accepted + Σ rejected", place)
    }

    /// Checks each row, the totals, and that the rows add up to the totals.
    func check(_ rows: [CountedRow], totals: MeasureCounts, by dimensions: [Dimension]) throws(ReportError) {
        try check(totals, place: "the totals")
        guard !dimensions.isEmpty else { return }
        var sum = MeasureCounts()
        for row in rows {
            try check(row.counts, place: row.key.inWords)
            sum += row.counts
        }
        for measure in Measure.allCases {
            try require(totals[measure], ==, sum[measure], "\(measure.rawValue) = Σ rows")
        }
    }

    /// Checks that the numerator is a part of the denominator: no rate exceeds 100 %.
    func check(_ rate: Proportion, _ id: String, place: String) throws(ReportError) {
        guard rate.isPart else {
            throw .doesNotAddUp(
                report: report, place: place, rule: "numerator ≤ denominator of \(id)", left: rate.numerator,
                right: rate.denominator)
        }
    }

    func require(
        _ left: Int64, _ isAsRuled: (Int64, Int64) -> Bool, _ right: Int64, _ rule: @autoclosure () -> String,
        _ place: String = "the totals"
    ) throws(ReportError) {
        guard isAsRuled(left, right) else {
            throw .doesNotAddUp(report: report, place: place, rule: rule(), left: left, right: right)
        }
    }
}
