extension Metric {
    static let latency: [Metric] = LatencyQuantile.allCases.map { quantile in
        let (share, words) = words(for: quantile)
        return Metric(
            quantile.rawValue, .latency, .milliseconds,
            formula: "the time that \(share) of the notifications took at most",
            "\(words) Told of two stages: arrival, from sending (sent_at) to the extension's report, and click, from that report to the tap.",
            caveats: [
                "At most 4.9 % off: times are counted in buckets, and a bucket is told by the geometric mean of its ends.",
                "Only notifications count that arrived and said when; what never arrived took for ever and is in no quantile.",
                "By the device's clock, corrected where the event says when it was uploaded (reported_at). Less than nothing counts as 0.",
                "Quantiles do not add up: that of a week is no mean of its days.",
            ])
    }

    private static func words(for quantile: LatencyQuantile) -> (share: String, meaning: String) {
        switch quantile {
        case .p50: ("half", "The median.")
        case .p90: ("90 %", "One of ten took longer.")
        case .p99: ("99 %", "One of a hundred took longer.")
        }
    }
}
