/// docs/metrics.md. A test keeps the file and this text the same.
public enum GlossaryPage {
    /// Markdown, without a line break at the end of lines.
    public static var lines: [String] {
        var lines = [
            "# What every number means",
            "",
            "Everybody counts \"delivered\" another way, so nothing here is called that. Every figure has an id (the key in JSON and CSV), a unit and a "
                + "formula; every rate is printed with its numerator, its denominator and Wilson's interval at 95 %. `landfall explain metric ID` prints "
                + "what stands here.",
            "",
            "A notification counts in the period in which it was **sent**, however late its arrival or click. A report whose numbers do not add up "
                + "exits with an error instead of printing.",
        ]
        for chapter in Metric.Chapter.allCases {
            lines += ["", "## \(chapter.rawValue)"]
            for metric in Metric.all where metric.chapter == chapter { lines += section(metric) }
        }
        return lines + terms
    }

    private static var terms: [String] {
        [
            "", "## What others call it", "",
            "`landfall explain metric` knows these words too.", "", "| elsewhere | here | |", "|---|---|---|",
        ]
            + MarketTerm.all.map { term in
                let ids = term.ids.map { "`\($0)`" }.joined(separator: ", ")
                return
                    "| \(term.names.joined(separator: ", ")) | \(ids.isEmpty ? "–" : ids) | \(term.remark) |"
            }
    }

    private static func section(_ metric: Metric) -> [String] {
        var lines = [
            "", "### `\(metric.id)`", "", "**\(metric.formula)** (\(metric.unit.rawValue))", "",
            metric.meaning,
        ]
        if !metric.caveats.isEmpty { lines += [""] + metric.caveats.map { "- \($0)" } }
        if !metric.elsewhere.isEmpty {
            let names = metric.elsewhere.map { "\($0.system): \($0.name)" }.joined(separator: "; ")
            lines += ["", "Elsewhere: \(names)."]
        }
        return lines
    }
}
