internal import Rendering

/// How a report is requested: its format, its number of rows, and the terminal that shows it.
struct ReportShape: Sendable {
    /// The query parameters of a report with rows, besides its own.
    static let parameters = ["app", "format", "limit", "terminal"]
    /// The columns that a table may have.
    private static let columns = 40...1_000

    let format: ReportFormat
    let style: OutputStyle
    /// `nil` for the usual number of rows of a table, and for all rows of other formats.
    let limit: Int?

    /// - Throws: 400 for a parameter that is not valid.
    init(_ parameters: QueryParameters) throws(Problem) {
        format = try parameters.word("format") ?? .json
        let limit = try parameters.number("limit", in: 1...Int64(Int.max)) { text in
            .invalidParameter("'\(text)' is not valid for 'limit': use a number of rows, 1 or more")
        }
        self.limit = limit.map { Int($0) }
        style = try Self.style(parameters.one("terminal"))
    }

    /// Reads `100,unicode,color`: the columns of the terminal, and what it can show.
    private static func style(_ text: String?) throws(Problem) -> OutputStyle {
        guard let text else { return OutputStyle(usesUnicode: false, usesColor: false) }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let abilities = words.dropFirst()
        guard let columns = words.first.flatMap({ Int($0) }), Self.columns.contains(columns),
            abilities.allSatisfy({ ["unicode", "color"].contains($0) })
        else {
            throw .invalidParameter(
                "'\(text)' is not valid for 'terminal': use its columns, \(Self.columns.lowerBound) to "
                    + "\(Self.columns.upperBound), then what it can show, such as 100,unicode,color")
        }
        return OutputStyle(
            usesUnicode: abilities.contains("unicode"), usesColor: abilities.contains("color"), width: columns
        )
    }
}
