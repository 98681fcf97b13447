/// Everything that was measured in one stage.
struct StageTable {
    private let report: StageReport

    init(_ report: StageReport) {
        self.report = report
    }

    private static let titles = ["", "per second", "µs each", "p50 ms", "p99 ms", "MiB", "ratio"]

    var lines: [String] {
        ["\(report.stage.name), prepared in \(decimal(report.preparationSeconds, 0)) s", ""]
            + TextTable(Self.titles, report.figures.map(cells)).lines + [""] + lost
            + OverloadLines(report.overload).lines + [""] + costs
    }

    private func cells(_ figure: Figure) -> [String] {
        [
            figure.what,
            "\(grouped(Int(figure.perSecond.rounded()))) \(figure.unit.rawValue)",
            figure.unit == .events ? decimal(1_000_000 / figure.perSecond, 1) : "",
            figure.p50Milliseconds.map { decimal($0, 1) } ?? "",
            figure.p99Milliseconds.map { decimal($0, 1) } ?? "",
            figure.serverPeakMemory.map(mebibytes) ?? "",
            report.ratios.first { $0.of == figure.name }.map { "\(decimal($0.value, 2)) of \($0.toWhat)" }
                ?? "",
        ]
    }

    private var lost: [String] {
        report.figures.filter { ($0.duplicates ?? 0) + ($0.rejected ?? 0) != 0 }.map { figure in
            "\(figure.what): \(figure.duplicates ?? 0) duplicates and \(figure.rejected ?? 0) rejected, not counted."
        }
    }

    /// Statements that cost less than a twentieth of a microsecond are left out.
    private var costs: [String] {
        let worthy = report.statementCosts.filter { max($0.perResponse, $0.perArrival) >= 0.05 }
        return TextTable(
            ["statements one by one", "µs per response", "µs per arrival"],
            worthy.map { [$0.statement, decimal($0.perResponse, 2), decimal($0.perArrival, 2)] }
        ).lines
    }
}
