/// The time that every report took, stage by stage, compared with the limit.
struct ReportsBenchReport: PrintedReport, Sendable {
    let machine: Machine
    let settings: ReportsBenchSettings
    let small: SmallApp
    let stages: [ReportsStage]

    /// One report in all stages.
    private struct Line {
        let title: String
        let goal: MeasuredReport.Goal
        let milliseconds: [Double?]

        /// The time of the last stage divided by that of the first.
        var growth: Double? {
            guard let first = milliseconds.first ?? nil, let last = milliseconds.last ?? nil, first > 0
            else { return nil }
            return last / first
        }

        var isMissed: Bool {
            let limit = goal.mostMilliseconds ?? .infinity
            let grows = growth ?? 0 > goal.mostGrowth ?? .infinity
            return grows || milliseconds.contains { $0 ?? 0 > limit }
        }
    }

    private var reports: [Line] {
        (stages.first?.reports ?? []).enumerated().map { position, report in
            Line(
                title: report.title, goal: report.goal,
                milliseconds: stages.map { $0.reports[position].milliseconds })
        }
    }

    var lines: [String] {
        small.lines + (stages.isEmpty ? [] : [""] + linesOfStages)
    }

    private var linesOfStages: [String] {
        [
            "\(machine.text); \(grouped(settings.installations)) installations, 30 days",
            "",
        ]
            + TextTable(
                ["milliseconds"] + stages.map { "\(grouped($0.rows)) rows" } + ["growth", "must"],
                [row(plainCount, goal: "")] + reports.map { row($0, goal: Self.verdict($0)) }
            ).lines + remarks
    }

    private var plainCount: Line {
        Line(title: "SELECT count(*), plain", goal: .none, milliseconds: stages.map(\.plainCount))
    }

    private func row(_ line: Line, goal: String) -> [String] {
        [line.title] + line.milliseconds.map { $0.map { decimal($0, 1) } ?? "–" }
            + [line.growth.map { decimal($0, 2) } ?? "", goal]
    }

    /// `30 ms, 1.5 × met`.
    private static func verdict(_ line: Line) -> String {
        guard let limit = line.goal.mostMilliseconds else { return "" }
        let growth = line.goal.mostGrowth.map { ", \(decimal($0, 1)) ×" } ?? ""
        let isMeasured = line.milliseconds.allSatisfy { $0 != nil }
        return "\(decimal(limit, 0)) ms\(growth) "
            + (isMeasured ? line.isMissed ? "missed" : "met" : "not measured")
    }

    private var remarks: [String] {
        let missed = reports.filter(\.isMissed).map(\.title)
        let sketching = stages.compactMap { stage in
            stage.sketchingSeconds.map {
                "\(grouped(stage.rows)) notifications were sketched in \(decimal($0, 1)) s"
            }
        }
        return [
            "",
            missed.isEmpty
                ? "Everything measured reaches its goal."
                : "MISSED: " + missed.joined(separator: "; ") + ".",
            sketching.count < stages.count
                ? "The server lacks the extension hll: nothing was sketched."
                : sketching.joined(separator: ", ") + ".",
        ]
    }
}
