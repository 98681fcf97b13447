package import Documents
package import Reports

/// A report as each format shows it.
package protocol RenderableReport: Sendable {
    /// One JSON document, in the contract's order.
    var document: JSONValue { get }
    /// The member of the document that NDJSON writes line by line.
    static var rowsMember: String { get }
    var csv: CSVText { get }
    var htmlPage: HTMLPage { get }
    /// The lines of a terminal, with as many rows as ``OutputStyle/rowLimit``.
    func lines(_ style: OutputStyle) -> [String]
}

extension RenderableReport {
    package static var rowsMember: String { "rows" }

    /// The whole report in this format.
    ///
    /// - Parameter style: for a table; it changes no other format.
    package func text(as format: ReportFormat, _ style: OutputStyle) -> String {
        switch format {
        case .table: TerminalText.text(of: lines(style))
        case .json: document.indentedText + "\n"
        case .ndjson: document.lines(of: Self.rowsMember).map { $0 + "\n" }.joined()
        case .csv: csv.text
        case .html: htmlPage.text
        }
    }
}

extension Report {
    /// Sorts and limits the rows for this format. A table shows how many rows it leaves out, so it gets all of them.
    package mutating func arrange(_ order: RowOrder, for format: ReportFormat) throws(ReportError) {
        try arrange(RowOrder(sort: order.sort, limit: format == .table ? nil : order.limit))
    }
}
