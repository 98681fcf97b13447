internal import ArgumentParser
internal import Reports

/// `landfall explain metric`: prints a `Metric`, or the list of all.
struct ExplainMetricCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metric",
        abstract: "What a number means: formula, unit, caveats, and what others call it.",
        discussion: """
            Needs no database. Without an id it lists all. The same text is docs/metrics.md.

              landfall explain metric click_through
              landfall explain metric --json
            """)

    @Argument(help: ArgumentHelp("As it stands in JSON and CSV.", valueName: "id"))
    var id: String?

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
        guard let id else { return try writeAll() }
        let metric = try asUsage { try Metric.named(id) }
        guard !json else { return try Stdout.write(documents: [metric.document.indentedText]) }
        try Stdout.write(lines: Self.text(metric))
    }

    private func writeAll() throws {
        guard !json else {
            return try Stdout.write(documents: [JSONValue.array(Metric.all.map(\.document)).indentedText])
        }
        let width = Metric.all.map(\.id.count).max() ?? 0
        var lines: [String] = []
        for chapter in Metric.Chapter.allCases {
            if !lines.isEmpty { lines.append("") }
            lines.append(chapter.rawValue)
            for metric in Metric.all where metric.chapter == chapter {
                let padding = String(repeating: " ", count: width - metric.id.count)
                lines.append("  \(metric.id)\(padding)  \(metric.formula)")
            }
        }
        try Stdout.write(lines: lines + ["", "landfall explain metric ID tells the rest."])
    }

    private static func text(_ metric: Metric) -> [String] {
        var lines = [
            "\(metric.id) = \(metric.formula)", "", metric.meaning, "", "  unit  \(metric.unit.rawValue)",
        ]
        lines += metric.caveats.map { "  note  \($0)" }
        let width = metric.elsewhere.map(\.system.count).max() ?? 0
        if !metric.elsewhere.isEmpty { lines += ["", "Elsewhere"] }
        lines += metric.elsewhere.map {
            "  \($0.system)\(String(repeating: " ", count: width - $0.system.count))  \($0.name)"
        }
        return lines
    }
}
