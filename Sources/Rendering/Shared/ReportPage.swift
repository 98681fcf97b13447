internal import Reports

/// The common layout of reports as text: a heading, stages with bars, remarks, and a table if there is a breakdown.
struct ReportPage {
    let frame: ReportFrame
    let title: String
    let pictures: [StagePicture]
    let remarks: [Remark]
    /// The remarks of a page, whose pictures say more than those of a terminal; `nil` if they are the same.
    var pageRemarks: [Remark]?
    let table: TextTable
    /// Sections below everything else except the comparison.
    var sections: [[String]] = []
    /// Shown below the other sections.
    var variants: VariantTable?
    /// The comparison with another window.
    var comparison: ComparisonTable?
    /// The precision of the counts.
    var precision = "exact"
    /// Whether the counts are rounded down to multiples of ``CoarseCounts/step``.
    var isRounded = false
    /// Shown below the table.
    var trends: [Trend] = []

    var heading: ReportHeading {
        ReportHeading(
            frame: frame, title: title,
            precision: isRounded ? "rounded down to multiples of \(CoarseCounts.step)" : precision,
            isRounded: isRounded)
    }

    /// The report as text. Names and bars of all pictures are aligned.
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
        for section in sections + [variants?.lines, comparison?.lines].compactMap(\.self) {
            lines += [""] + section
        }
        return lines
    }
}
