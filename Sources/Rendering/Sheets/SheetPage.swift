internal import DeliveryModel
package import Reports

extension HTMLPage {
    /// A sheet as an HTML page: pictures with their changes, charts over time, the table, remarks.
    ///
    /// - Parameter other: the same report by time, for the courses of numbers; `nil` for the sheet itself.
    package init(_ sheet: Sheet, coursesOf other: Sheet? = nil) {
        guard !sheet.isEmpty else {
            self.init(nothingIn: sheet.frame, title: sheet.title)
            return
        }
        let comparison = ComparisonTable(sheet, .page)
        let charts = SheetCharts(sheet)
        let courses = other.map { SheetCharts($0)?.courses ?? [:] } ?? charts?.courses ?? [:]
        let lines = charts?.sections ?? []
        let pictures = sheet.pictures.flatMap { picture -> [HTMLSection] in
            switch picture {
            case .stages(let picture) where picture.isFunnel:
                [.stages(PageStages(picture, comparison, courses))]
            case .stages(let picture): [.bars(BarChart(picture, comparison))]
            case .waterfall(let picture): [.bars(BarChart(picture, comparison))]
            case .histogram(let stage, let durations): [.histogram(Histogram(stage, durations))]
            case .figures(let figures):
                [.figures(figures.map { PageFigure($0, comparison, courses) })]
            case .bars(let picture): [.bars(BarChart(picture))]
            }
        }
        let advice = sheet.advice.map { (name: $0.names.joined(separator: ", "), text: $0.text) }
        let isInChart = sheet.frame.query.by.count == 1 && !lines.isEmpty
        var sections = [comparison?.htmlNote].compactMap(\.self) + pictures.prefix(1) + lines
        if !advice.isEmpty {
            sections.append(.story(PageStory(title: "What to do", ink: .trouble, notes: advice)))
        }
        sections += pictures.dropFirst()
        if !isInChart {
            let table = SheetTable(sheet, .page).table
            sections.append(
                .table(PageTable(table, caption: sheet.tableTitle, isFolded: sheet.isTableFolded)))
        }
        sections += sheet.lists.map { list in
            HTMLSection.table(PageTable(SheetTable(list, .page).table, caption: list.title))
        }
        sections += comparison?.htmlSections ?? []
        sections += VariantTable(sheet.variants, .page)?.htmlSections ?? []
        sections.append(.note(sheet.completeness?.sentence ?? ""))
        sections.append(.remarks(sheet.remarks.filter(\.isOnPage).map { Remark($0, .page) }))
        if sheet.isNoteOnPage { sections.append(.note(sheet.note)) }
        self.init(
            title: sheet.title, subject: sheet.frame.query.app.slug, headline: sheet.headline,
            facts: sheet.pageFacts ?? ReportHeading(sheet).facts(.page), sections: sections,
            terms: Metric.all.filter { sheet.terms.contains($0.id) })
    }
}

extension PageStages {
    init(_ picture: StagePicture, _ comparison: ComparisonTable?, _ courses: [String: [Int64]]) {
        title = picture.title
        caption = picture.caption
        stages = picture.stages.enumerated().map { position, stage in
            let size = { (count: Int64) in picture.whole > 0 ? Double(count) / Double(picture.whole) : 0 }
            let next = position + 1 < picture.stages.count ? picture.stages[position + 1] : nil
            return Stage(
                id: stage.id, name: stage.name, value: picture.text(stage, .page), ink: stage.ink ?? .aside,
                shares: picture.shares(of: stage), isDoubtful: stage.isDoubtful, size: size(stage.count),
                next: next.flatMap { $0.share?.of == stage.id ? size($0.count) : nil },
                growth: comparison?.change(of: stage.id),
                change: stage.rate.flatMap { comparison?.change(of: $0) },
                course: courses[stage.id] ?? [])
        }
    }
}

extension StagePicture {
    /// The share of the stage that this one is a part of, and that of the stage that all are a part of.
    fileprivate func shares(of stage: Stage) -> [(share: Proportion, of: String)] {
        guard let share = stage.share else { return [] }
        var root = share.of
        while let above = stages.first(where: { $0.id == root })?.share?.of { root = above }
        guard root != share.of, let whole = stages.first(where: { $0.id == root }) else {
            return [(share.proportion, name(of: share.of))]
        }
        return [
            (share.proportion, name(of: share.of)),
            (Proportion(stage.count, of: whole.count, roundedBy: share.proportion.roundedBy), whole.name),
        ]
    }
}

extension BarChart {
    /// Stages with their shares; stages without an ink have no bar.
    init(_ picture: StagePicture, _ comparison: ComparisonTable?) {
        let whole = picture.stages.first { $0.count == picture.whole }
        let length =
            whole.map { "A full bar is all \(picture.text($0, .page)) \($0.name)." }
            ?? "A full bar is \(grouped(picture.whole))."
        self.init(
            title: picture.title,
            caption: picture.caption.isEmpty ? length : "\(picture.caption) \(length)",
            bars: picture.stages.map { stage in
                let fraction = picture.whole > 0 ? Double(stage.count) / Double(picture.whole) : 0
                return Bar(
                    name: stage.name, value: picture.text(stage, .page),
                    detail: picture.text(ofShare: stage, .page),
                    layers: stage.ink.map { [Layer(to: fraction, ink: $0)] } ?? [],
                    growth: comparison?.change(of: stage.id),
                    change: stage.rate.flatMap { comparison?.change(of: $0) })
            }, headings: ("", "Count", "Share (95 % interval)"),
            isWide: picture.stages.count > 5)
    }

    /// The start level, then each gain and loss from where the one before it ended.
    init(_ picture: WaterfallPicture, _ comparison: ComparisonTable?) {
        let span = Double(max(1, picture.top - picture.axis))
        let beginning = picture.axis > 0 ? " Bars begin at \(grouped(picture.axis)), not at 0." : ""
        self.init(
            title: "From start to end",
            caption: "Each gain or loss begins where the previous one ended.\(beginning)",
            bars: picture.steps.map { step in
                let ends = [step.from ?? picture.axis, step.to].sorted()
                    .map { Double($0 - picture.axis) / span }
                return Bar(
                    name: step.name, value: step.figure, detail: step.shareText,
                    layers: [Layer(from: ends[0], to: ends[1], ink: step.ink)], note: step.meaning,
                    growth: comparison?.change(of: step.id), isLevel: step.from == nil)
            }, headings: ("Step", "Count", "Share"), isWide: true)
    }

    /// Bars with a name and a value.
    init(_ picture: SheetBars) {
        self.init(
            title: picture.title, caption: picture.caption,
            bars: picture.bars.map { bar in
                Bar(
                    name: bar.name, value: bar.value, detail: bar.detail,
                    layers: [Layer(to: bar.length, ink: bar.ink)], interval: bar.interval)
            }, headings: picture.headings, isWide: true)
    }
}

extension Histogram {
    init(_ stage: LatencyStage, _ durations: LatencyHistogram) {
        self.init(
            title: SheetColumn.capitalized(stage.title),
            caption:
                "Notifications by how long they took. Each column covers a longer range than the one before "
                + "it, by the same factor.",
            columns: HistogramPicture(durations).lines.map { line in
                .init(
                    name: HistogramPicture.name(line, .page),
                    label: line.from == 0 ? "0" : Span(milliseconds: line.from).shortWords,
                    count: line.notifications)
            }, ink: stage.ink, unit: "notifications")
    }
}

extension PageFigure {
    fileprivate init(
        _ figure: SheetFigure, _ comparison: ComparisonTable?, _ courses: [String: [Int64]]
    ) {
        self.init(
            name: figure.name, value: figure.value.text(.page, figure.form), detail: figure.detail,
            ink: figure.ink, id: figure.id, course: figure.id.flatMap { courses[$0] } ?? [])
        change = figure.id.flatMap { comparison?.change(of: $0) }
    }
}
