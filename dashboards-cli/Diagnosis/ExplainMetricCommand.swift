internal import ArgumentParser
internal import Basics
internal import Rendering
internal import Reports

struct ExplainMetricCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metric",
        abstract: "Explain what a number means: formula, unit, caveats, and its names elsewhere.",
        discussion: """
            Needs no database. Without an id, lists all metrics. Names that other systems use lead to the \
            metrics they may mean. docs/metrics.md has the same text.

              landfall explain metric click_through
              landfall explain metric ctr
              landfall explain metric --json
            """)

    @Argument(help: .value("The id, as in JSON and CSV, or a name in other systems.", "id")) var id: String?
    @Flag(help: "Print one JSON document.") var json = false

    func run() throws {
        guard let id else { return try writeAll() }
        switch try asUsage({ try Metric.named(id) }) {
        case .metric(let metric):
            try Stdout.write(lines: json ? [metric.document.indentedText] : Self.fitted(Self.text(metric)))
        case .term(let term):
            try Stdout.write(
                lines: json ? [term.document.indentedText] : Self.fitted(Self.text(term, called: id)))
        }
    }

    /// Wraps sentences that are too long; text in columns stays as it is.
    private static func fitted(_ lines: [String]) -> [String] {
        let width = OutputStyle.stdout().width
        return lines.flatMap { line in
            line.isEmpty || line.hasPrefix("  ") && !line.hasPrefix("  note")
                ? [line] : folded(line, to: width)
        }
    }

    /// If a term has one meaning, the metric; otherwise, the metrics to choose from.
    private static func text(_ term: MarketTerm, called name: String) -> [String] {
        let metrics = term.metrics
        let remark = term.remark.isEmpty ? [] : ["", term.remark]
        if metrics.count == 1, let metric = metrics.first {
            return ["'\(printable(name))' is '\(metric.id)' here."] + remark.dropFirst() + [""] + text(metric)
        }
        guard !metrics.isEmpty else { return ["'\(printable(name))' is not a number of Landfall."] + remark }
        let choices = inColumns(metrics.map { ($0.id, $0.formula) })
        return ["'\(printable(name))' may mean one of these:"] + remark + [""] + choices
            + ["", "landfall explain metric ID prints more."]
    }

    private static func inColumns(_ rows: [(String, String)], width: Int? = nil) -> [String] {
        let width = width ?? rows.map(\.0.count).max() ?? 0
        return rows.map { "  \(padded($0, to: width))  \($1)" }
    }

    private func writeAll() throws {
        guard !json else {
            return try Stdout.write(documents: [JSONValue.array(Metric.all.map(\.document)).indentedText])
        }
        let width = Metric.all.map(\.id.count).max()
        let chapters = Metric.Chapter.allCases.map { chapter -> [String] in
            let metrics = Metric.all.filter { $0.chapter == chapter }
            return [chapter.rawValue] + Self.inColumns(metrics.map { ($0.id, $0.formula) }, width: width)
        }
        let end = ["", "landfall explain metric ID prints the rest."]
        try Stdout.write(lines: Array(chapters.joined(separator: [""])) + end)
    }

    private static func text(_ metric: Metric) -> [String] {
        var lines = [
            "\(metric.id) = \(metric.formula)", "", metric.meaning, "", "  unit  \(metric.unit.rawValue)",
        ]
        lines += metric.caveats.map { "  note  \($0)" }
        if !metric.elsewhere.isEmpty { lines += ["", "Elsewhere"] }
        return lines + inColumns(metric.elsewhere.map { ($0.system, $0.name) })
    }
}
