/// The text of docs/metrics.md. A test keeps it and the file the same.
public enum GlossaryPage {
    /// The lines of Markdown, without their line breaks.
    public static var lines: [String] {
        var lines = [
            "# What every number means",
            "",
            "Every vendor counts \"delivered\" differently, so no number here has that name. Every number "
                + "has an id (the key in JSON and CSV), a unit and a formula. Every rate is printed with its "
                + "numerator, its denominator and its 95 % Wilson interval. `landfall explain metric ID` "
                + "prints the same text.",
            "",
            "A notification counts in the period in which it was **sent**, however late its arrival or "
                + "click. If the numbers of a report do not add up, it exits with an error instead of "
                + "printing them.",
        ]
        for chapter in Metric.Chapter.allCases {
            lines += ["", "## \(chapter.rawValue)"]
            for metric in Metric.all where metric.chapter == chapter { lines += section(metric) }
        }
        return lines + terms
    }

    private static var terms: [String] {
        [
            "", "## Names in other products", "",
            "`landfall explain metric` accepts these names too.", "",
            "| elsewhere | here | |", "|---|---|---|",
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
