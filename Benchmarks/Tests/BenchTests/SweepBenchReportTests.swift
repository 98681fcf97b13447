import Testing

@testable import landfall_bench

@Suite("The report on a measured sweep") struct SweepBenchReportTests {
    private func report(
        sweepSeconds: Double, p99 milliseconds: (without: Double, with: Double), sweptSeconds: Double? = nil
    ) -> SweepBenchReport {
        func figure(_ what: String, _ seconds: Double) -> Figure {
            Figure(what, what, .tokens, count: 1_000_000, seconds: seconds)
        }
        func percentiles(_ milliseconds: Double) -> SweepBenchReport.Percentiles {
            .init(
                Wrk.Outcome(
                    requests: 10_000, microseconds: 10_000_000, p50: 1_000, p99: Int(milliseconds * 1_000),
                    rejected: 0, broken: 0))
        }
        let step = SweepBenchReport.StepFigures(
            plain: figure("plain", 10), sweep: figure("sweep", sweepSeconds))
        return SweepBenchReport(
            machine: Machine(postgres: "15", swift: nil), settings: .full, preparationSeconds: 1,
            retiring: step, marking: step,
            latency: .init(
                without: percentiles(milliseconds.without), with: percentiles(milliseconds.with),
                sweep: figure("meanwhile", 10), sweptToTheEnd: sweptSeconds != nil,
                sweptSeconds: sweptSeconds ?? 10))
    }

    @Test("states each goal and whether it is met")
    func goals() {
        let met = report(sweepSeconds: 25, p99: (2, 4))
        #expect(met.retiring.ratio == 0.4)
        #expect(met.latency.p99Ratio == 2)
        let text = met.lines.joined(separator: "\n")
        #expect(text.contains("0.40  0.4 met"))
        #expect(text.contains("2.00  2.0 met"))
        let missed = report(sweepSeconds: 26, p99: (2, 4.1)).lines.joined(separator: "\n")
        #expect(missed.contains("0.4 missed"))
        #expect(missed.contains("2.0 missed"))
    }

    @Test("warns if the sweep ended before the events did")
    func short() {
        #expect(report(sweepSeconds: 1, p99: (1, 1)).lines.last?.contains("too good") == false)
        let short = report(sweepSeconds: 1, p99: (1, 1), sweptSeconds: 3)
        #expect(short.lines.last?.contains("The sweep ended after 3.0 of 10 s") == true)
    }
}
