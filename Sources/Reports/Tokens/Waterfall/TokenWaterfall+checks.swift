internal import DeliveryModel

extension TokenWaterfall {
    static let name = "waterfall"

    /// Checks that for every state, start + in − out = end, that no count was ever negative, and
    /// that the flows of the active ones add up to their net change.
    func check(_ periods: [Period], end: StateCounts) throws(ReportError) {
        let rules = AddingUp(report: Self.name)
        for state in TokenState.allCases {
            let (moved, counted) = (total.end[state], end[state])
            try rules.require(
                moved == counted, "\(state.rawValue): start + in - out = end", moved, counted, "the totals")
        }
        for period in periods {
            let place = period.name.map { "\(window.by?.rawValue ?? "period") \($0)" } ?? "the totals"
            for state in TokenState.allCases {
                let (start, end) = (period.start[state], period.end[state])
                try rules.require(start >= 0, "\(state.rawValue) ≥ 0", start, 0, place)
                try rules.require(end >= 0, "\(state.rawValue) ≥ 0", end, 0, place)
            }
            let flows = period.flows.reduce(0) { $0 + ($1.key.isGain ? $1.value : -$1.value) }
            try rules.require(
                flows == period.net, "registered + revived - rotated - retired - stale - suspect = net",
                flows, period.net, place)
        }
    }
}
