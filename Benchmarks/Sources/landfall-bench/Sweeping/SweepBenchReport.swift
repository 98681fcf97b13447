/// The time that a sweep takes, compared with one plain statement, and the latency it adds to posts during
/// the sweep.
struct SweepBenchReport: PrintedReport, Sendable {
    /// One step of a sweep, and the statement that changes the same rows.
    struct StepFigures: Sendable, Encodable {
        let plain: Figure
        let sweep: Figure

        var ratio: Double { plain.perSecond > 0 ? sweep.perSecond / plain.perSecond : 0 }
    }

    struct LatencyFigures: Sendable, Encodable {
        /// Single events without and with the sweep.
        let without: Percentiles
        let with: Percentiles
        /// The tokens changed during that time.
        let sweep: Figure
        /// True if nothing was left to sweep before the last event had been posted.
        let sweptToTheEnd: Bool
        /// The time until the last batch of the sweep.
        let sweptSeconds: Double

        var p99Ratio: Double? { without.p99 > 0 ? with.p99 / without.p99 : nil }
    }

    /// Latencies in milliseconds.
    struct Percentiles: Sendable, Encodable {
        let requests: Int
        let p50: Double
        let p99: Double

        init(_ outcome: Wrk.Outcome) {
            requests = outcome.requests
            p50 = Double(outcome.p50) / 1_000
            p99 = Double(outcome.p99) / 1_000
        }
    }

    let machine: Machine
    let settings: SweepBenchSettings
    let preparationSeconds: Double
    let retiring: StepFigures
    let marking: StepFigures
    let latency: LatencyFigures

    static let leastRatio = 0.4
    static let mostLatencyRatio = 2.0

    var lines: [String] {
        [
            "\(machine.text); \(grouped(settings.tokens)) tokens, prepared in \(Int(preparationSeconds.rounded())) s",
            "",
        ]
            + TextTable(
                ["what", "tokens", "seconds", "per second", "/ plain", "must"],
                [
                    row(retiring.plain, nil), row(retiring.sweep, retiring.ratio), row(marking.plain, nil),
                    row(marking.sweep, marking.ratio), row(latency.sweep, nil),
                ]
            ).lines + [""]
            + TextTable(
                ["single events", "requests", "p50 ms", "p99 ms", "/ without", "must"],
                [
                    row("without the sweep", latency.without, nil),
                    row("during the sweep", latency.with, latency.p99Ratio),
                ]
            ).lines + remarks
    }

    private func row(_ figure: Figure, _ ratio: Double?) -> [String] {
        [
            figure.what, grouped(figure.count), decimal(figure.seconds, 1),
            grouped(Int(figure.perSecond.rounded())), ratio.map { decimal($0, 2) } ?? "",
            ratio.map { "\(decimal(Self.leastRatio, 1)) \($0 >= Self.leastRatio ? "met" : "missed")" } ?? "",
        ]
    }

    private func row(_ what: String, _ percentiles: Percentiles, _ ratio: Double?) -> [String] {
        [
            what, grouped(percentiles.requests), decimal(percentiles.p50, 2), decimal(percentiles.p99, 2),
            ratio.map { decimal($0, 2) } ?? "",
            ratio.map {
                "\(decimal(Self.mostLatencyRatio, 1)) \($0 <= Self.mostLatencyRatio ? "met" : "missed")"
            }
                ?? "",
        ]
    }

    private var remarks: [String] {
        guard latency.sweptToTheEnd else { return [] }
        return [
            "",
            "The sweep ended after \(decimal(latency.sweptSeconds, 1)) of \(settings.seconds) s: the latency during it "
                + "is too good. More --tokens let it run on.",
        ]
    }
}
