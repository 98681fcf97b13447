extension Metric {
    static let latency: [Metric] = LatencyQuantile.allCases.map { quantile in
        let (share, words) = words(for: quantile)
        return Metric(
            quantile.rawValue, .latency, .milliseconds,
            formula: "the time that \(share) of the notifications took at most",
            "\(words) Given for two stages: arrival, from sending (sent_at) to the event of the extension, "
                + "and click, from that event to the tap.",
            caveats: [
                "Accurate to 4.9 %: times are counted in buckets, and a bucket is represented by the "
                    + "geometric mean of its ends.",
                "Only notifications that arrived at a known time count; those that never arrived are in no "
                    + "quantile.",
                "By the device's clock, corrected if the event has the time of its upload (reported_at). "
                    + "Negative times count as 0.",
                "Quantiles do not add up: the quantile of a week is not the mean of those of its days.",
            ])
    }

    private static func words(for quantile: LatencyQuantile) -> (share: String, meaning: String) {
        switch quantile {
        case .p50: ("half", "The median.")
        case .p90: ("90 %", "One in ten took longer.")
        case .p99: ("99 %", "One in a hundred took longer.")
        }
    }
}
