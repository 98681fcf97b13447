import Reports

/// The text of docs/metrics.md. A test keeps it and the file the same.
enum GlossaryPage {
    /// The lines of Markdown, without their line breaks.
    static var lines: [String] {
        var lines = ["# What every number means", ""]
        lines += wrapped(
            "Every vendor counts \"delivered\" differently, so no number here has that name. Every number "
                + "has an id (the key in JSON and CSV), a unit and a formula. Every rate is printed with its "
                + "numerator, its denominator and its 95 % Wilson interval. `landfall explain metric ID` "
                + "prints the same text.")
        lines.append("")
        lines += wrapped(
            "A notification counts in the period in which it was **sent**, however late its arrival or "
                + "click. If the numbers of a report do not add up, it exits with an error instead of "
                + "printing them.")
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
        var lines = ["", "### `\(metric.id)`", ""]
        lines += wrapped("**\(metric.formula)** (\(metric.unit.rawValue))")
        lines.append("")
        lines += wrapped(metric.meaning)
        if !metric.caveats.isEmpty {
            lines.append("")
            lines += metric.caveats.flatMap { wrapped("- \($0)", indent: "  ") }
        }
        if !metric.elsewhere.isEmpty {
            let names = metric.elsewhere.map { "\($0.system): \($0.name)" }.joined(separator: "; ")
            lines.append("")
            lines += wrapped("Elsewhere: \(names).")
        }
        return lines
    }

    /// The text in lines of at most 110 characters; all but the first begin with the indent.
    private static func wrapped(_ text: String, indent: String = "") -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.unicodeScalars.count + word.unicodeScalars.count < 110 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(lines.isEmpty ? String(word) : "\(indent)\(word)")
            }
        }
        return lines
    }
}
