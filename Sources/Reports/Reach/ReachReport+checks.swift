internal import DeliveryModel

extension ReachReport {
    /// Checks that every installation that clicked was reached, and that every one that was reached was targeted;
    /// that the part of the audience that was reached is at most the audience, and at most all that were reached; and
    /// that the distinct total is between the largest row and the sum of all rows. Estimates may deviate by `slack`.
    func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try check(totals, place: "the totals", rules)
        for row in rows { try check(row.counts, place: row.key.inWords, rules) }
        if let audienceReach {
            try rules.check(audienceReach, "audience_reach", place: "the totals")
            try rules.require(
                audienceReach.numerator <= totals.reached, "reached of the audience ≤ reached",
                audienceReach.numerator, totals.reached, "the totals")
        }
        guard !frame.query.by.isEmpty else { return }
        try checkDistinct(\.targeted, "targeted", rules)
        try checkDistinct(\.reached, "reached", rules)
        try checkDistinct(\.engaged, "engaged", rules)
    }

    private func check(_ counts: Counts, place: String, _ rules: AddingUp) throws(ReportError) {
        try rules.require(
            counts.engaged <= counts.reached, "engaged ≤ reached", counts.engaged, counts.reached, place)
        try rules.require(
            counts.reached <= counts.targeted, "reached ≤ targeted", counts.reached, counts.targeted, place)
        try rules.check(counts.reach, "reach", place: place)
        try rules.check(counts.engagement, "engagement", place: place)
    }

    private func checkDistinct(
        _ count: KeyPath<Counts, Int64>, _ name: String, _ rules: AddingUp
    ) throws(ReportError) {
        let total = totals[keyPath: count]
        let sum = rows.reduce(0) { $0 + $1.counts[keyPath: count] }
        try rules.require(total <= sum + slack(sum), "\(name) ≤ Σ rows", total, sum, "the totals")
        for row in rows {
            let part = row.counts[keyPath: count]
            try rules.require(
                part <= total + slack(total), "\(name) ≤ \(name) of the totals", part, total, row.key.inWords)
        }
    }

    /// The allowed deviation of estimates: two of them, each by four standard errors, which happens once in 16,000 times.
    private func slack(_ count: Int64) -> Int64 {
        Int64((Double(count) * 8 * (standardError ?? 0)).rounded(.up))
    }
}
