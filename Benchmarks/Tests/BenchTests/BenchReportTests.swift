import Testing

@testable import landfall_bench

@Suite("The report on measured ingestion") struct BenchReportTests {
    private static let names = [
        "http_bulk_responses", "http_bulk_arrivals", "http_bulk_repeated", "http_bulk_all_accepted",
        "http_bulk_all_dead", "reading", "writer_responses", "writer_arrivals", "writer_repeated",
        "sql_responses", "sql_arrivals", "sql_repeated", "sql_responses_concurrent",
        "sql_arrivals_concurrent", "receipt_checks", "http_no_op", "http_single_responses",
        "http_single_arrivals", "http_capacity", "http_overload",
    ]

    /// One round, in which everything happens a thousand times per second and the server needs one megabyte.
    private var round: [Figure] { Self.names.map { figure($0, 1_000) } }

    private func figure(_ name: String, _ count: Int, seconds: Double = 1) -> Figure {
        var figure = Figure(name, name, count: count, seconds: seconds)
        figure.p99Milliseconds = Double(count)
        figure.processorMicroseconds = Double(count) / 10
        figure.serverPeakMemory = 1_048_576
        return figure
    }

    private func report(_ rounds: [Figure]) -> BenchReport {
        BenchReport(
            machine: Machine(postgres: "15"), settings: .quick,
            stages: [
                StageReport(
                    rows: 0, postgres: "15", preparationSeconds: 1, rounds, statementCosts: [])
            ])
    }

    @Test("every ratio finds its figures")
    func everyRatio() {
        for ratio in Ratio.measured(in: round) { #expect(ratio.value == 1, "\(ratio.what)") }
    }

    @Test("a ratio is the median of the rounds' ratios, and two figures count together")
    func ratios() {
        let rounds = [500, 2_000, 800].flatMap { count in
            [
                figure("http_no_op", 1_000), figure("http_single_responses", count),
                figure("http_bulk_repeated", count), figure("http_bulk_responses", 300, seconds: 0.5),
                figure("http_bulk_arrivals", 100, seconds: 0.5),
            ]
        }
        let ratios = Ratio.measured(in: rounds)
        #expect(ratios.first { $0.what == "single responses / no-op" }?.value == 0.8)
        #expect(ratios.first { $0.what == "duplicates / first run" }?.value == 2)
        #expect(ratios.first { $0.what == "bulk responses / SQL" }?.value == nil)
    }

    @Test("over several rounds, a figure is the median rate, the worst p99 and the highest peak")
    func rounds() {
        let figures = Figure.combined([100, 300, 200].flatMap { [figure("a", $0), figure("b", $0 / 10)] })
        #expect(figures.map(\.name) == ["a", "b"])
        #expect(figures[0].perSecond == 200)
        #expect(figures[0].count == 600)
        #expect(figures[0].p99Milliseconds == 300)
        #expect(figures[0].processorMicroseconds == 20)
        #expect(figures[1].serverPeakMemory == 1_048_576)
    }

    @Test("states each goal and whether it is met")
    func goals() {
        let text = report(round.filter { $0.name != "http_single_arrivals" }).lines.joined(separator: "\n")
        #expect(text.contains(/bulk responses \/ SQL +≥ 0\.50 +≥ 0\.75 +1\.00 met\n/))
        #expect(text.contains(/duplicates \/ first run +≥ 1\.50 +– +1\.00 missed\n/))
        #expect(text.contains(/single arrivals \/ no-op +≥ 0\.35 +≥ 0\.50 +–\n/))
        #expect(text.contains(/writer, responses \/ SQL +– +– +1\.00\n/))
        #expect(text.contains(/peak memory of the server +≤ 256 MiB +≤ 128 MiB +1 MiB met\n/))
    }

    @Test("states how many requests of an overload were rejected, in all rounds")
    func overload() {
        let rounds = [100, 200].map { count in
            var overload = figure("http_overload", count)
            overload.requests = Figure.Requests(all: 3 * count, rejected: 2 * count, broken: 1)
            return overload
        }
        let text = report(rounds).lines.joined(separator: "\n")
        #expect(text.contains("http_overload: of 900 requests, 600 were rejected and 2 broke."))
    }

    @Test("the JSON holds the ratios, and the stages with their figures")
    func json() throws {
        let text = try report(round).text(asJSON: true)
        #expect(text.split(separator: #""to" :"#).count - 1 == Ratio.measured(in: []).count)
        for key in [
            "name", "p99_ms", "cpu_us", "server_peak_memory_bytes", "statement_costs", "must", "cores",
        ] {
            #expect(text.contains("\"\(key)\" :"), "\(key)")
        }
    }
}
