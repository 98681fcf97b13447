package import Reports

extension Clicks: RenderableQuestion {
    package static func htmlPage(of report: ClicksReport) -> HTMLPage { ClicksTable(report, .page).htmlPage }

    package static func lines(of report: ClicksReport, _ style: OutputStyle) -> [String] {
        ClicksTable(report, style).lines
    }
}
