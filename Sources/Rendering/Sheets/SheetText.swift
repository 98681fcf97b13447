internal import DeliveryModel
internal import Reports

/// A sheet as text: a heading, pictures, remarks, and a table if there are rows.
struct SheetText {
    let sheet: Sheet
    let style: OutputStyle

    var lines: [String] {
        let table = tableLines
        var lines = ReportHeading(sheet).lines(style) + axes
        if sheet.isTableFirst { lines += table }
        lines += pictures
        if !remarks.isEmpty { lines += [""] + Remark.lines(remarks, style, nameWidth: nameWidth) }
        if !sheet.isTableFirst { lines += table }
        let trends = sheet.trends.compactMap { sheet.trend($0, style) }
        if !trends.isEmpty { lines += [""] + trends.flatMap(\.self) }
        let young = sheet.completeness?.sentence ?? ""
        let sections = [
            young.isEmpty ? nil : folded(young, indentation: 2, style).map { style.paint($0, .aside) },
            VariantTable(sheet.variants, style)?.lines, ComparisonTable(sheet, style)?.lines,
        ]
        for section in sections.compactMap(\.self) where !section.isEmpty { lines += [""] + section }
        return lines + advice + (sheet.note.isEmpty ? [] : [""] + folded(sheet.note, to: style.width))
    }

    private var remarks: [Remark] { sheet.remarks.map { Remark($0, style) } }

    private var tableLines: [String] {
        guard !sheet.rows.isEmpty || sheet.isTableFirst && sheet.emptyTable == nil else {
            return sheet.emptyTable.map { ["", "  \($0)"] } ?? []
        }
        let tables = [sheet] + sheet.lists.filter { !$0.rows.isEmpty }
        return tables.flatMap { [""] + SheetTable($0, style).table.lines(style) }
    }

    /// A fact about each picture that does not begin at 0.
    private var axes: [String] {
        sheet.pictures.flatMap { picture -> [String] in
            guard case .waterfall(let waterfall) = picture, waterfall.axis > 0 else { return [] }
            return headingLines("picture", "begins at \(grouped(waterfall.axis)), not at 0", style)
        }
    }

    // MARK: - Pictures

    private var stages: [StagePicture] {
        sheet.pictures.compactMap { picture in
            if case .stages(let stages) = picture { stages } else { nil }
        }
    }

    /// Names of all stages and remarks are aligned.
    private var nameWidth: Int {
        let names = stages.flatMap { $0.stages.map(\.terminalName) } + remarks.map(\.name)
        return max(sheet.remarkWidth, names.map(displayWidth).max() ?? 0)
    }

    private var pictures: [String] {
        let barWidth = stages.map { $0.barWidth(style, nameWidth: nameWidth) }.min() ?? 0
        return sheet.pictures.flatMap { picture -> [String] in
            switch picture {
            case .stages(let stages):
                return [""] + stages.lines(style, nameWidth: nameWidth, barWidth: barWidth)
            case .waterfall(let waterfall):
                let note = waterfall.note.isEmpty ? [] : folded(waterfall.note, indentation: 2, style)
                return [""] + waterfall.lines(style) + note.map { style.paint($0, .aside) }
            case .histogram(let stage, let durations): return [""] + lines(of: stage, durations)
            case .figures, .bars: return []
            }
        }
    }

    private func lines(of stage: LatencyStage, _ durations: LatencyHistogram) -> [String] {
        let quantiles = LatencyQuantile.allCases.map { quantile in
            "\(quantile.title) \(durations.quantile(quantile.share)?.roundedWords ?? style.nothing)"
        }
        let summary = "\(grouped(durations.count)) notifications, \(quantiles.joined(separator: ", "))"
        let name = style.spelled(stage.title)
        let painted = style.paint(name, .title)
        let fits = displayWidth(name) + displayWidth(summary) + 4 <= style.width ?? .max
        let heading =
            fits ? ["  \(painted)  \(summary)"] : ["  \(painted)"] + folded(summary, indentation: 4, style)
        return heading + HistogramPicture(durations).text(stage.ink, style)
    }

    private var advice: [String] {
        guard !sheet.advice.isEmpty else { return [] }
        return ["", style.paint("What to do", .title)]
            + sheet.advice.flatMap { advice in
                folded(printable(advice.names.joined(separator: ", ")), indentation: 2, style)
                    + folded(advice.text, indentation: 6, style).map { style.paint($0, .aside) }
            }
    }
}

extension SheetValue {
    /// The value as people read it.
    func text(_ style: OutputStyle, _ form: SheetRemark.Form = .full, in zone: ReportTimeZone = .utc)
        -> String
    {
        switch self {
        case .none, .document: style.nothing
        case .count(let count): grouped(count)
        case .estimate(let count): style.nearly + grouped(count)
        case .milliseconds(let milliseconds): Span(milliseconds: milliseconds).roundedWords
        case .rate(let rate, _):
            switch form {
            case .full: rate.text(style) + (isDoubtful ? " !" : "")
            case .plain: rate.value.map { "\(percent($0)) %" } ?? style.nothing
            case .atLeast: rate.value.map { "\(style.atLeast) \(percent($0)) %" } ?? style.nothing
            }
        case .estimatedRate(let rate): style.rate(rate.value, rate.interval)
        case .words(let words, let title, _): title ?? (words.isEmpty ? style.nothing : words)
        case .names(let names):
            names.count > 1
                ? "\(printable(names[0])) and \(names.count - 1) more" : names.first ?? style.nothing
        case .instant(let instant):
            LocalTime(instant, utcOffsetMinutes: zone.utcOffsetMinutes(at: instant)).toTheMinute
        }
    }
}

extension Remark {
    init(_ remark: SheetRemark, _ style: OutputStyle) {
        self.init(
            name: remark.name, value: remark.value.text(style, remark.form),
            meaning: (remark.share.map { "\($0.text(style)) " } ?? "") + remark.meaning, id: remark.id)
    }
}
