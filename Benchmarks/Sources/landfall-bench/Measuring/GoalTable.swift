/// The limits that must be reached, the limits aimed for, and the values measured.
struct GoalTable {
    private let report: BenchReport

    init(_ report: BenchReport) {
        self.report = report
    }

    var lines: [String] {
        let stages = report.stages.flatMap { [$0.stage.name, ""] }
        return TextTable(["", "must", "aim"] + stages, report.goals.map(cells)).lines + [""] + verdict
    }

    private func cells(_ goal: GoalReport) -> [String] {
        let sign = goal.isUpperLimit ? "≤ " : "≥ "
        let measured = goal.measured.flatMap { measured in
            [measured.value.map { Self.text($0, goal.unit) } ?? "–", measured.mark?.words ?? ""]
        }
        return [
            goal.what, sign + Self.text(goal.must, goal.unit),
            goal.aim.map { sign + Self.text($0, goal.unit) } ?? "–",
        ] + measured
    }

    private var verdict: [String] {
        let slower = report.goals.filter { $0.isMarked(.slowerMachine) }.map(\.what)
        let onThisMachine =
            "Not reached as measured, on a machine slower than the one of the goals (the scaled figure decides): "
            + slower.joined(separator: "; ") + "."
        return (slower.isEmpty ? [] : [onThisMachine]) + [missed]
    }

    private var missed: String {
        let missed = report.goals.filter { $0.isMarked(.missed) }
        let unmeasured = report.goals.flatMap(\.measured).count { $0.value == nil }
        let rest = unmeasured == 0 ? "" : " \(unmeasured) could not be measured."
        guard !missed.isEmpty else { return "Everything measured reaches its goal." + rest }
        return "MISSED: " + missed.map(\.what).joined(separator: "; ") + "." + rest
    }

    private static func text(_ value: Double, _ unit: Goal.Unit) -> String {
        switch unit {
        case .ratio: decimal(value, 2)
        case .perSecond: grouped(Int(value.rounded())) + "/s"
        case .milliseconds: decimal(value, 1) + " ms"
        case .bytes: mebibytes(Int(value)) + " MiB"
        }
    }
}
