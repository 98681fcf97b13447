/// The times of the commands that people type, on a realistic database of one small app,
/// compared with the start of the program itself.
struct SmallApp: Sendable, Encodable {
    struct Measured: Sendable, Encodable {
        /// The command without the app and the window.
        let title: String
        let milliseconds: Double
    }

    /// The longest time a report may take, as a multiple of `landfall app list`, which reads one small table.
    static let mostStarts = 8.0

    let notifications: Int64
    /// The time of `landfall app list`, in milliseconds.
    let start: Double
    let reports: [Measured]

    func starts(_ report: Measured) -> Double { start > 0 ? report.milliseconds / start : 0 }

    var missed: [String] { reports.filter { starts($0) > Self.mostStarts }.map(\.title) }

    var lines: [String] {
        let table = TextTable(
            ["landfall …", "milliseconds", "× app list", "must"],
            [["app list", decimal(start, 1), "1.0", ""]]
                + reports.map { report in
                    let verdict = starts(report) > Self.mostStarts ? "missed" : "met"
                    return [
                        report.title, decimal(report.milliseconds, 1), decimal(starts(report), 1),
                        "\(decimal(Self.mostStarts, 0)) × \(verdict)",
                    ]
                })
        let verdict =
            missed.isEmpty
            ? "Every report of the small app reaches its goal."
            : "MISSED: " + missed.joined(separator: "; ") + "."
        return [
            "A week of one small app: \(grouped(Int(notifications))) notifications, tables that were never analyzed, each command a program of its own",
            "",
        ] + table.lines + ["", verdict]
    }
}
