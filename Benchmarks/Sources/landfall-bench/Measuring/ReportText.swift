/// The report as text: first the goals, then everything else.
struct ReportText {
    private let report: BenchReport

    init(_ report: BenchReport) {
        self.report = report
    }

    var lines: [String] {
        [machineLine] + warning + [""] + GoalTable(report).lines
            + report.stages.flatMap { ["", ""] + StageTable($0).lines } + [""] + remarks
    }

    private var machineLine: String {
        let machine = report.machine
        let facts = [
            "\(machine.cores) cores", machine.system, "PostgreSQL \(machine.postgres)",
            machine.swift.map { "Swift \($0)" }, machine.load.map { "load \(decimal($0, 1)) at the start" },
        ]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    private var warning: [String] {
        machineIsBusy
            ? ["WARNING: something else was running on this machine. Rates are too low, latencies too high."]
            : []
    }

    private var machineIsBusy: Bool { (report.machine.load ?? 0) > Machine.quietLoad }

    private var remarks: [String] {
        let settings = report.settings
        return [
            "SQL is what the writer sends, with ready parameters, on one connection or on \(settings.writers). Reading "
                + "and writer run alone.",
            "\(settings.singleConnections) connections post single events, \(settings.bulkConnections) post bulk.",
            "Rounds: \(settings.rounds). Rates and ratios are their medians, p99 is the worst one's. See docs/development.md.",
        ]
    }
}
