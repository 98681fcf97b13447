internal import Access
internal import DeliveryModel
internal import Reports

extension HTMLPage {
    /// A report's text as an HTML page: the stages with their changes, charts, the table, remarks.
    ///
    /// - Parameters:
    ///   - headline: the result in one sentence.
    ///   - courses: the counts of each stage over time, by its name.
    ///   - charts: shown below the stages.
    ///   - terms: ids of the metrics to explain at the end.
    init(
        _ page: ReportPage, headline: String, courses: [String: [Int64]] = [:], charts: [HTMLSection] = [],
        terms: [String]
    ) {
        let comparison = page.comparison
        let pictures = page.pictures.map { picture -> HTMLSection in
            picture.isFunnel
                ? .stages(PageStages(picture, comparison, courses)) : .bars(BarChart(picture, comparison))
        }
        let hasTable = page.frame.query.by.count == 1 && charts.contains(where: \.hasTable)
        var sections = [comparison?.htmlNote].compactMap(\.self) + pictures.prefix(1) + charts
        sections += pictures.dropFirst()
        if !hasTable { sections.append(.table(PageTable(page.table))) }
        sections += comparison?.htmlSections ?? []
        sections += page.variants?.htmlSections ?? []
        sections += page.sections.map(HTMLSection.words) + [.remarks(page.pageRemarks ?? page.remarks)]
        self.init(
            title: page.title, subject: page.frame.query.app.slug,
            headline: headline, facts: page.heading.facts(.page), sections: sections,
            terms: Metric.all.filter { terms.contains($0.id) })
    }
}

extension HTMLSection {
    /// Whether it is a chart with its own table.
    fileprivate var hasTable: Bool {
        guard case .lines(let chart) = self else { return false }
        return chart.table != nil
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
                name: stage.name, value: picture.text(stage, .page), ink: stage.ink ?? .aside,
                shares: picture.shares(of: stage), isDoubtful: stage.isDoubtful, size: size(stage.count),
                next: next.flatMap { $0.share?.of == stage.name ? size($0.count) : nil },
                growth: comparison?.change(of: stage.name),
                change: stage.rate.flatMap { comparison?.change(of: $0) },
                course: courses[stage.name] ?? [])
        }
    }
}

extension StagePicture {
    /// The share of the stage that this one is a part of, and that of the stage that all are a part of.
    fileprivate func shares(of stage: Stage) -> [(share: Proportion, of: String)] {
        guard let share = stage.share else { return [] }
        var root = share.of
        while let above = stages.first(where: { $0.name == root })?.share?.of { root = above }
        guard root != share.of, let whole = stages.first(where: { $0.name == root }) else {
            return [(share.proportion, share.of)]
        }
        return [
            (share.proportion, share.of),
            (Proportion(stage.count, of: whole.count, roundedBy: share.proportion.roundedBy), root),
        ]
    }
}

extension BarChart {
    /// Stages with their shares; stages without an ink have no bar.
    init(_ picture: StagePicture, _ comparison: ComparisonTable? = nil) {
        let whole = picture.stages.first { $0.count == picture.whole }
        let length =
            whole.map { "A full bar is all \(picture.text($0, .page)) \($0.name.trimmed)." }
            ?? "A full bar is \(grouped(picture.whole))."
        let first = picture.stages.first?.name ?? ""
        self.init(
            title: picture.title.isEmpty ? first.prefix(1).uppercased() + first.dropFirst() : picture.title,
            caption: picture.caption.isEmpty ? length : "\(picture.caption) \(length)",
            bars: picture.stages.map { stage in
                let fraction = picture.whole > 0 ? Double(stage.count) / Double(picture.whole) : 0
                var bar = Bar(
                    name: stage.name.trimmed, value: picture.text(stage, .page),
                    detail: picture.text(ofShare: stage, .page),
                    layers: stage.ink.map { [Layer(to: fraction, ink: $0)] } ?? [])
                bar.growth = comparison?.change(of: stage.name.trimmed)
                bar.change = stage.rate.flatMap { comparison?.change(of: $0) }
                return bar
            }, headings: .init(value: "Count", detail: "Share (95 % interval)"),
            isWide: picture.stages.count > 5)
    }
}

extension String {
    /// Without the leading spaces that indent a name on a terminal.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
