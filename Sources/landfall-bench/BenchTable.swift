internal import Foundation

/// The report for people.
struct BenchTable {
    private let report: BenchReport

    init(_ report: BenchReport) {
        self.report = report
    }

    private static let titles = ["", "per second", "µs each", "p50 ms", "p99 ms", "ratio"]

    var lines: [String] {
        let rows = [Self.titles] + report.figures.map(cells)
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { Self.line($0, widths) }
        lines.insert(String(repeating: "-", count: widths.reduce(-2) { $0 + $1 + 2 }), at: 1)
        return [machineLine, ""] + lines + [""] + remarks
    }

    private var machineLine: String {
        let machine = report.machine
        let facts = [
            "\(machine.cores) cores", machine.system, "PostgreSQL \(machine.postgres)",
            machine.swift.map { "Swift \($0)" }, machine.load.map { "load \(decimal($0, 1)) at the start" },
        ]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    private func cells(_ figure: Figure) -> [String] {
        [
            figure.what,
            "\(grouped(Int(figure.perSecond.rounded()))) \(figure.unit.rawValue)",
            figure.unit == .events ? decimal(1_000_000 / figure.perSecond, 1) : "",
            figure.p50Milliseconds.map { decimal($0, 1) } ?? "",
            figure.p99Milliseconds.map { decimal($0, 1) } ?? "",
            ratio(of: figure),
        ]
    }

    private func ratio(of figure: Figure) -> String {
        guard let ratio = report.ratios.first(where: { $0.of == figure.name }) else { return "" }
        return "\(decimal(ratio.value, 2)) of \(ratio.toWhat)"
    }

    private var remarks: [String] {
        let settings = report.settings
        let lost = report.figures.filter { ($0.duplicates ?? 0) + ($0.rejected ?? 0) != 0 }.map { figure in
            "\(figure.what): \(figure.duplicates ?? 0) duplicates and \(figure.rejected ?? 0) rejected, not counted."
        }
        let memory = report.serverPeakMemory.map { "Peak memory of the server: \($0 / 1_048_576) MiB." }
        let remarks = [
            "SQL is what the writer sends, with ready parameters on one connection. Reading and writer run alone.",
            "\(settings.singleConnections) connections post single events, \(settings.bulkConnections) post bulk.",
        ]
        return lost + remarks + [memory].compactMap(\.self)
    }

    /// The first cell to the left, numbers to the right.
    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, cell in
            let room = String(repeating: " ", count: cell.1 - cell.0.count)
            return column == 0 ? cell.0 + room : room + cell.0
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in String(number.magnitude).reversed().enumerated() {
        if position > 0, position % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}

/// With so many digits behind the point.
private func decimal(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", number)
}
