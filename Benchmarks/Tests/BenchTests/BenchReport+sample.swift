@testable import landfall_bench

extension BenchReport {
    /// One round in which everything happens a thousand times per second and the server needs one megabyte.
    static var sample: BenchReport {
        BenchReport(
            Machine(postgres: "15", swift: nil), .quick,
            [StageReport(Stage(name: "cold", rows: 0), postgres: "15", preparationSeconds: 1, rounds)])
    }

    private static var rounds: Rounds {
        var rounds = Rounds()
        rounds.bulk = [
            Rounds.Bulk(
                server: bulk("http_bulk"),
                deaths: DeathFigures(
                    accepted: figure("http_bulk_all_accepted"), dead: figure("http_bulk_all_dead")),
                reading: figure("reading"), writer: bulk("writer"),
                statements: bulk("sql"),
                concurrentStatements: ConcurrentFigures(
                    responses: figure("sql_responses_concurrent"), arrivals: figure("sql_arrivals_concurrent")
                ),
                costs: CostRound(
                    responses: StatementCosts(), responseCount: 1, arrivals: StatementCosts(), arrivalCount: 1
                ),
                receipts: figure("receipt_checks"))
        ]
        rounds.single = [
            Rounds.Single(
                noOp: figure("http_no_op"), responses: figure("http_single_responses"),
                arrivals: figure("http_single_arrivals"))
        ]
        var outcome = LoadOutcome(seconds: 1)
        outcome.sent = 1
        outcome.count(HTTPResponse(status: 200, accepted: 100, closes: false), due: 0, now: 0.5)
        rounds.overload = [
            OverloadFigures(
                capacity: [outcome, outcome], overload: outcome, offeredPerSecond: 1, generatorShare: 0,
                serverPeakMemory: 1_048_576)
        ]
        return rounds
    }

    private static func bulk(_ name: String) -> BulkFigures {
        BulkFigures(
            responses: figure("\(name)_responses"), arrivals: figure("\(name)_arrivals"),
            repeated: figure("\(name)_repeated"))
    }

    private static func figure(_ name: String) -> Figure {
        var figure = Figure(name, name, count: 1_000, seconds: 1)
        figure.p99Milliseconds = 1
        figure.serverPeakMemory = 1_048_576
        return figure
    }
}
