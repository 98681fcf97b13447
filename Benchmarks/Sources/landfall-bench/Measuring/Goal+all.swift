extension Goal {
    /// All goals, in the order of the table. docs/development.md explains what each of them compares.
    static let all: [Goal] =
        [
            bulkRatio("responses", "responses", "SQL", ""),
            bulkRatio("arrivals", "arrivals", "SQL", ""),
            bulkRatio("responses", "responses", "SQL on as many connections", "_concurrent"),
            bulkRatio("arrivals", "arrivals", "SQL on as many connections", "_concurrent"),
        ] + rate("bulk responses", "http_bulk_responses", must: 70_000, aim: 110_000)
        + rate("bulk arrivals", "http_bulk_arrivals", must: 70_000, aim: 110_000) + [
            singleRatio("responses", "responses"),
            singleRatio("arrivals", "arrivals"),
        ] + rate("single responses", "http_single_responses", must: 18_000, aim: 25_000)
        + rate("single arrivals", "http_single_arrivals", must: 18_000, aim: 25_000)
        + latency("single responses, p99", "http_single_responses")
        + latency("single arrivals, p99", "http_single_arrivals") + [
            Goal(what: "duplicates / first run", unit: .ratio, must: 1.5, aim: nil) {
                $0.ratio(of: "http_bulk_repeated", to: "http_bulk_responses+http_bulk_arrivals")
            },
            Goal(what: "responses, all 410 / all 200", unit: .ratio, must: 0.5, aim: nil) {
                $0.ratio(of: "http_bulk_all_dead", to: "http_bulk_all_accepted")
            },
            Goal(what: "receipts checked, one thread", unit: .perSecond, must: 1_000_000, aim: nil) {
                $0.figure("receipt_checks")?.perSecond
            },
            Goal(what: "peak memory of the server", unit: .bytes, must: mebibytes(256), aim: mebibytes(128)) {
                $0.serverPeakMemory.map(Double.init)
            },
        ] + overload

    private static let overload = [
        Goal(what: "overload: goodput / capacity", unit: .ratio, must: 0.8, aim: nil) {
            $0.overload.median?.goodput
        },
        Goal(what: "overload: responded 200, 503 or 429", unit: .ratio, must: 1, aim: nil) {
            $0.overload.map(\.plainlyResponded).min()
        },
    ]

    private static func bulkRatio(
        _ kind: String, _ name: String, _ toWhat: String, _ suffix: String
    ) -> Goal {
        Goal(what: "bulk \(kind) / \(toWhat)", unit: .ratio, must: 0.5, aim: 0.75) {
            $0.ratio(of: "http_bulk_\(name)", to: "sql_\(name)\(suffix)")
        }
    }

    private static func singleRatio(_ kind: String, _ name: String) -> Goal {
        Goal(what: "single \(kind) / no-op", unit: .ratio, must: 0.35, aim: 0.5) {
            $0.ratio(of: "http_single_\(name)", to: "http_no_op")
        }
    }

    private static func rate(_ what: String, _ name: String, must: Double, aim: Double) -> [Goal] {
        asIsAndScaled(
            Goal(what: what, unit: .perSecond, must: must, aim: aim) { $0.figure(name)?.perSecond })
    }

    private static func latency(_ what: String, _ name: String) -> [Goal] {
        asIsAndScaled(
            Goal(what: what, unit: .milliseconds, must: 15, aim: 8) { $0.figure(name)?.p99Milliseconds })
    }

    /// The rate or the time as measured, and as it would be on a machine whose no-op is as fast as the prototype's.
    private static func asIsAndScaled(_ goal: Goal) -> [Goal] {
        let scaled = Goal(
            what: "\(goal.what), scaled", unit: goal.unit, must: goal.must, aim: goal.aim
        ) { stage in
            guard let value = goal.measured(stage), let share = stage.machineShare else { return nil }
            return goal.isUpperLimit ? value * share : value / share
        }
        var asIs = goal
        asIs.isOfThisMachine = true
        return [asIs, scaled]
    }

    private static func mebibytes(_ count: Double) -> Double { count * 1_048_576 }
}
