package import DeliveryModel
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
    /// `nil` if the report found something.
    var emptiness: Emptiness? { get }
    /// What a reader of this format has to know, and does not see in it.
    func remark(on format: ReportFormat) -> String?
}

/// The words for a report that found nothing.
package struct Emptiness: Equatable, Sendable {
    /// Without a period, so that the place can follow.
    package let sentence: String
    /// What to try, as a sentence.
    package let hint: String?

    /// `nil` if the report found something.
    fileprivate init?(_ isEmpty: Bool, _ sentence: String, hint: String? = nil) {
        guard isEmpty else { return nil }
        (self.sentence, self.hint) = (sentence, hint)
    }
}

extension RenderableReport {
    package static var rowsMember: String { "rows" }

    package var emptiness: Emptiness? { nil }

    package func remark(on format: ReportFormat) -> String? { nil }

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

extension RenderableReport where Self: Sheeted {
    package var csv: CSVText { sheet.csv }
    package var htmlPage: HTMLPage { sheet.htmlPage }
    package func lines(_ style: OutputStyle) -> [String] { sheet.lines(style) }
}

extension Sheet: RenderableReport {
    /// A sheet without columns for CSV has the lines of its list.
    package var csv: CSVText {
        let isList = !columns.contains { $0.places.contains(.csv) }
        return SheetCSV(sheet: isList ? lists.first ?? self : self).text
    }

    package var htmlPage: HTMLPage { HTMLPage(self) }
    package func lines(_ style: OutputStyle) -> [String] { SheetText(sheet: self, style: style).lines }
}

extension CounterReport: RenderableReport {}
extension ClickKindsReport: RenderableReport {}
extension LossReport: RenderableReport {}
extension RejectionsReport: RenderableReport {}
extension LatencyReport: RenderableReport {}
extension ExtensionReport: RenderableReport {}
extension OptOutsReport: RenderableReport {}

extension ReachReport: RenderableReport {
    package func remark(on format: ReportFormat) -> String? {
        guard format == .csv, let standardError else { return nil }
        return
            "Estimated from sketches, standard error \(percent(standardError)) %. --exact counts the notifications."
    }
}

extension PermissionsReport: RenderableReport {
    package var emptiness: Emptiness? {
        let such = frame.query.filters.isEmpty ? "" : "such "
        return Emptiness(
            isEmpty, "No \(such)installations of app \(frame.query.app.slug) at the end of this window")
    }
}

extension TokenStatusReport: RenderableReport {
    package var emptiness: Emptiness? {
        Emptiness(tokens == 0, "There is no token of app \(app.slug)")
    }
}

extension TokenWaterfall: RenderableReport {
    package var emptiness: Emptiness? {
        Emptiness(
            total.end.known == 0, "The ledger has no token of app \(app.slug) before that time",
            hint: "--as-of now shows what is known today.")
    }
}

extension ZombieReport: RenderableReport {
    package var emptiness: Emptiness? {
        Emptiness(builds.isEmpty, "No zombie was found for app \(app.slug)")
    }
}

extension SweepReport: RenderableReport {}

extension FalseDeathsReport: RenderableReport {
    package var emptiness: Emptiness? {
        Emptiness(isEmpty, "No rule retired a token of app \(app.slug) in this window")
    }
}

extension RenderableReport where Self: Report {
    package var emptiness: Emptiness? {
        let isFiltered = !frame.query.filters.isEmpty
        return Emptiness(
            isEmpty,
            "No \(isFiltered ? "such " : "")notifications of app \(frame.query.app.slug) in this window",
            hint: "--from 30d looks further back"
                + (isFiltered
                    ? "."
                    : "; landfall simulate posts simulated traffic, and landfall demo shows a day of it."))
    }
}

extension Report {
    /// Sorts and limits the rows for this format. A table shows how many rows it leaves out, so it gets all.
    package mutating func arrange(_ order: RowOrder, for format: ReportFormat) throws(ReportError) {
        try arrange(RowOrder(sort: order.sort, limit: format == .table ? nil : order.limit))
    }
}

/// The formats of every ``RenderableReport``.
package enum ReportFormat: String, CaseIterable, Sendable {
    case table
    case json
    case ndjson
    case csv
    case html
}
