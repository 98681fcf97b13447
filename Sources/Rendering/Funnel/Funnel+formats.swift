package import Reports

extension Funnel: RenderableQuestion {
    package static func htmlPage(of report: FunnelReport) -> HTMLPage { FunnelTable(report, .page).htmlPage }

    package static func lines(of report: FunnelReport, _ style: OutputStyle) -> [String] {
        FunnelTable(report, style).lines
    }
}
