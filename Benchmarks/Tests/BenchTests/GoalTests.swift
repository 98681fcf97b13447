import Testing

@testable import landfall_bench

@Suite("Goals")
struct GoalTests {
    @Test(
        "a quality figure must be at least its limit",
        arguments: [(0.49, Goal.Mark.missed), (0.5, .met), (0.74, .met), (0.75, .aim), (2, .aim)])
    func lowerLimit(value: Double, mark: Goal.Mark) {
        #expect(Goal(what: "", unit: .ratio, must: 0.5, aim: 0.75) { _ in nil }.mark(value) == mark)
    }

    @Test(
        "latency and memory must be at most their limit",
        arguments: [(15.1, Goal.Mark.missed), (15, .met), (8.1, .met), (8, .aim)])
    func upperLimit(value: Double, mark: Goal.Mark) {
        #expect(Goal(what: "", unit: .milliseconds, must: 15, aim: 8) { _ in nil }.mark(value) == mark)
    }

    @Test("without an aim, a figure that meets its limit is as good as it gets")
    func noAim() {
        #expect(Goal(what: "", unit: .ratio, must: 1, aim: nil) { _ in nil }.mark(9) == .met)
    }

    @Test("every goal finds its figure in the measurements")
    func everyGoalIsMeasured() {
        let goals = BenchReport.sample.goals
        #expect(goals.count == Goal.all.count)
        for goal in goals { #expect(goal.measured.map(\.value).contains(nil) == false, "\(goal.what)") }
    }

    @Test("the JSON holds every goal, and the stages with their figures")
    func json() throws {
        let report = try BenchReport.sample.json()
        #expect(report.split(separator: #""must" :"#).count - 1 == Goal.all.count)
        #expect(report.contains(#""name" : "http_bulk_responses""#))
        for key in ["p99_ms", "capacity_p99_ms", "server_peak_memory_bytes", "statement_costs", "overload"] {
            #expect(report.contains("\"\(key)\" :"), "\(key)")
        }
    }

    @Test("a missed goal is marked in the table and named below it")
    func missed() {
        let lines = GoalTable(.sample).lines
        #expect(
            lines.contains {
                $0.hasPrefix("bulk responses, scaled ") && $0.hasSuffix("56,800/s          missed")
            })
        #expect(lines.last?.hasPrefix("MISSED: ") == true)
        #expect(lines.last?.contains("bulk responses, scaled;") == true)
        #expect(lines.last?.contains("bulk responses;") == false)
        #expect(lines.last?.contains("peak memory") == false)
    }

    @Test("a rate that a slower machine does not reach is not judged; the scaled rate is")
    func slowerMachine() {
        let rate = Goal.all.first { $0.what == "bulk responses" }
        #expect(rate?.mark(69_999, onSlowerMachine: true) == .slowerMachine)
        #expect(rate?.mark(69_999, onSlowerMachine: false) == .missed)
        #expect(rate?.mark(70_000, onSlowerMachine: true) == .met)
        let ratio = Goal.all.first { $0.what == "bulk responses / SQL" }
        #expect(ratio?.mark(0.49, onSlowerMachine: true) == .missed)
        let scaled = Goal.all.first { $0.what == "bulk responses, scaled" }
        #expect(scaled?.mark(69_999, onSlowerMachine: true) == .missed)

        let lines = GoalTable(.sample).lines
        #expect(lines.contains { $0.hasPrefix("bulk responses ") && $0.hasSuffix("1,000/s  slower machine") })
        #expect(lines.dropLast().last?.contains("(the scaled figure decides): bulk responses;") == true)
    }

    @Test("goodput is the accepted events divided by the server's capacity, measured before and after")
    func goodput() {
        func outcome(_ events: Int) -> LoadOutcome {
            var outcome = LoadOutcome(seconds: 5)
            outcome.count(HTTPResponse(status: 200, accepted: events, closes: false), due: 1, now: 2)
            return outcome
        }
        let figures = OverloadFigures(
            capacity: [outcome(500), outcome(300)], overload: outcome(300), offeredPerSecond: 1,
            generatorShare: 0, serverPeakMemory: nil)
        #expect(figures.capacity == 100)
        #expect(figures.goodput == 0.75)
    }
}

@Suite("Figures")
struct FigureTests {
    @Test("over several rounds, a figure is the median rate, the worst p99 and the highest peak")
    func rounds() {
        let rounds = [100, 300, 200].map { count in
            var figure = Figure("name", "what", count: count, seconds: 1)
            figure.p99Milliseconds = Double(count)
            figure.serverPeakMemory = count
            return figure
        }
        let together = Figure(rounds: rounds)
        #expect(together.perSecond == 200)
        #expect(together.count == 600)
        #expect(together.p99Milliseconds == 300)
        #expect(together.serverPeakMemory == 300)
    }
}
