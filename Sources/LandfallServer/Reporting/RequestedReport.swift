internal import Rendering
internal import Reports

/// A report as it was requested: with its format, and everything that the command line says besides.
struct RequestedReport: Sendable {
    let report: any RenderableReport
    /// Its sheet, which is made once for all that is shown of it; the report itself if it has none.
    let shown: any RenderableReport
    let format: ReportFormat
    /// The look of a table.
    let style: OutputStyle
    /// About filters with unknown values, and about an empty report.
    let notes: [String]

    /// - Parameter notes: about the question.
    init(
        _ report: some RenderableReport, _ shape: ReportShape, limit: OutputStyle.RowLimit? = nil,
        notes: [String] = []
    ) {
        self.report = report
        if let report = report as? any Sheeted { shown = report.sheet } else { shown = report }
        format = shape.format
        var style = shape.style
        style.rowLimit = limit
        self.style = style
        let emptiness = report.emptiness
        self.notes =
            notes
            + [report.remark(on: shape.format), emptiness.map { $0.sentence + "." }, emptiness?.hint]
            .compactMap(\.self)
    }
}
