internal import Reports

/// How every report looks: whose figures these are, stages with bars, remarks, and a table when there is a
/// breakdown.
struct ReportPage {
    let frame: ReportFrame
    let title: String
    let pictures: [StagePicture]
    let remarks: [Remark]
    let table: TextTable
    /// Below everything else, but for another window.
    var sections: [[String]] = []
    /// Another window beside this one.
    var comparison: ComparisonTable?
    /// How sure the counts are.
    var precision = "exact"
    /// Below the table.
    var trends: [Trend] = []

    var heading: ReportHeading { ReportHeading(frame: frame, title: title, precision: precision) }

    /// Names and bars of all pictures line up.
    func lines(_ style: OutputStyle) -> [String] {
        let names = pictures.flatMap { $0.stages.map(\.name) } + remarks.map(\.name)
        let nameWidth = names.map(displayWidth).max() ?? 0
        let barWidth = pictures.map { $0.barWidth(style, nameWidth: nameWidth) }.min() ?? 0
        var lines = heading.lines(style)
        for picture in pictures {
            lines += [""] + picture.lines(style, nameWidth: nameWidth, barWidth: barWidth)
        }
        lines += [""] + Remark.lines(remarks, style, nameWidth: nameWidth)
        if !table.rows.isEmpty { lines += [""] + table.lines(style) }
        if !trends.isEmpty { lines += [""] + trends.flatMap { $0.lines(style) } }
        for section in sections + [comparison?.lines].compactMap(\.self) { lines += [""] + section }
        return lines
    }
}
