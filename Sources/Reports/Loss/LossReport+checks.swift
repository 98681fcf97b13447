extension LossReport {
    /// Checks that every attempt was accepted or rejected for one class of reason, that every accepted
    /// notification was confirmed or lost for one reason, and that the totals are the sum of the rows.
    func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        let counted = rows.map { CountedRow(key: $0.key, counts: $0.counts.counts) }
        try rules.check(counted, totals: totals.counts, by: frame.query.by)
        try check(totals, place: "the totals", rules)
        guard !frame.query.by.isEmpty else { return }
        for row in rows { try check(row.counts, place: row.key.inWords, rules) }
        for loss in Loss.allCases {
            guard let total = totals[loss] else { continue }
            let sum = rows.reduce(0) { $0 + ($1.counts[loss] ?? 0) }
            try rules.require(total == sum, "\(loss.rawValue) = Σ rows", total, sum, "the totals")
        }
    }

    private func check(_ counts: LossCounts, place: String, _ rules: AddingUp) throws(ReportError) {
        for loss in Loss.allCases {
            guard let count = counts[loss] else { continue }
            try rules.require(count >= 0, "\(loss.rawValue) ≥ 0", count, 0, place)
        }
        let explained = counts.losses.values.reduce(0, +)
        try rules.require(
            counts.unconfirmed == explained, "accepted − confirmed = Σ reasons", counts.unconfirmed,
            explained,
            place)
    }
}
