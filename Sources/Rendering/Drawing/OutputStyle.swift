package import Reports

/// The capabilities of the output's destination.
package struct OutputStyle: Equatable, Sendable {
    /// Uses block characters, dashes and dots; plain ASCII otherwise. Names are printed unchanged either way.
    package var usesUnicode: Bool
    var usesColor: Bool
    /// In columns; `nil` if the output is not a terminal, so that lines may have any length.
    package var width: Int?
    /// The most rows that a table shows; `nil` for all.
    package var rowLimit: RowLimit?

    package struct RowLimit: Equatable, Sendable {
        /// The most rows in a table without `--limit`.
        private static let usual = 40

        let count: Int
        /// True if the rows are in chronological order, and the latest matter most.
        let keepsLatest: Bool

        /// - Parameter count: `nil` for the usual number of rows.
        package init(count: Int?, keepsLatest: Bool) {
            self.count = count ?? Self.usual
            self.keepsLatest = keepsLatest
        }

        /// The limit for a table of a report's rows in this order.
        package init(_ order: RowOrder, of query: ReportQuery) {
            self.init(count: order.limit, keepsLatest: order.keepsLatest(query))
        }
    }

    package init(usesUnicode: Bool, usesColor: Bool, width: Int? = nil) {
        self.usesUnicode = usesUnicode
        self.usesColor = usesColor
        self.width = width
    }

    /// - Parameters:
    ///   - environment: `TERM`, `NO_COLOR` (no-color.org), and the locale: `LC_ALL`, `LC_CTYPE`, `LANG`, in
    ///     this order.
    ///   - terminalWidth: `nil` if it is not known.
    package init(environment: [String: String], isTerminal: Bool, terminalWidth: Int?, asksForASCII: Bool) {
        let isDumb = environment["TERM"] == "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let speaksUTF8 = (locale ?? "").lowercased().replacing("-", with: "").contains("utf8")
        self.init(
            usesUnicode: isTerminal && !isDumb && speaksUTF8 && !asksForASCII,
            usesColor: isTerminal && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty,
            width: isTerminal ? max(40, terminalWidth ?? 80) : nil)
    }

    /// The capabilities as an HTTP parameter: `100,unicode,color`; `nil` if there is no terminal.
    package var parameter: String? {
        width.map { "\($0)\(usesUnicode ? ",unicode" : "")\(usesColor ? ",color" : "")" }
    }

    /// Below 80 columns, rates have no intervals and bars in tables are short.
    var isNarrow: Bool { width ?? .max < 80 }

    /// Between the two ends of an interval.
    var dash: String { usesUnicode ? "–" : "-" }
    /// Between two facts.
    package var dot: String { usesUnicode ? "·" : "|" }
    /// From one to the other.
    package var arrow: String { usesUnicode ? "→" : "->" }
    /// Before a lower bound.
    package var atLeast: String { usesUnicode ? "≥" : ">=" }
    /// Before an estimate.
    var nearly: String { usesUnicode ? "≈ " : "~ " }
    /// After a text that was cut.
    package var ellipsis: String { usesUnicode ? "…" : "..." }
    /// Under a header.
    package var rule: String { usesUnicode ? "─" : "-" }
    /// Replaces a missing number.
    package var nothing: String { usesUnicode ? "–" : "-" }
}

extension Ink {
    /// The start of a color (SGR in ECMA-48).
    fileprivate var code: String { "\u{1B}[\(rawValue)m" }
    fileprivate static let end = "\u{1B}[0m"

    /// All escape sequences that are ever sent to a terminal to color a text.
    static let codes = allCases.map(\.code) + [end]
}

extension OutputStyle {
    /// The text with its arrows and bounds in ASCII if nothing else is available.
    func spelled(_ text: String) -> String {
        text.replacing("→", with: arrow).replacing("≥", with: atLeast)
    }

    package func paint(_ text: String, _ ink: Ink?) -> String {
        guard usesColor, let ink, !text.isEmpty else { return text }
        return ink.code + text + Ink.end
    }
}
