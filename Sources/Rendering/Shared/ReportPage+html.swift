internal import Access
package import DeliveryModel
internal import Reports

extension HTMLPage {
    /// A report's text as an HTML page: figures with their changes, stages and the table with bars, remarks below.
    ///
    /// - Parameters:
    ///   - headline: the result in one sentence.
    ///   - figures: shown above everything else.
    ///   - charts: shown between the stages and the table.
    ///   - terms: ids of the metrics to explain at the end.
    init(
        _ page: ReportPage, headline: String, figures: [PageFigure], charts: [HTMLSection] = [],
        terms: [String]
    ) {
        let stages = page.pictures.map { HTMLSection.bars(BarChart($0)) }
        self.init(
            title: page.title, subject: page.frame.query.app.slug, headline: headline,
            facts: page.heading.facts(.page),
            sections: [.figures(figures.compared(page.comparison))]
                + [page.comparison?.htmlNote].compactMap(\.self) + stages + charts
                + [.table(PageTable(page.table))] + (page.comparison?.htmlSections ?? [])
                + [.remarks(page.remarks)] + page.sections.map(HTMLSection.words),
            terms: Metric.all.filter { terms.contains($0.id) })
    }
}

extension BarChart {
    /// Stages with their shares; stages without an ink have no bar.
    init(_ picture: StagePicture) {
        let whole = picture.stages.first { $0.count == picture.whole }
        let caption =
            whole.map { "A full bar is all \(picture.text($0, .page)) \($0.name.trimmed)." }
            ?? "A full bar is \(grouped(picture.whole))."
        let first = picture.stages.first?.name ?? ""
        self.init(
            title: picture.title.isEmpty ? first.prefix(1).uppercased() + first.dropFirst() : picture.title,
            caption: caption,
            bars: picture.stages.map { stage in
                let fraction = picture.whole > 0 ? Double(stage.count) / Double(picture.whole) : 0
                return Bar(
                    name: stage.name.trimmed, value: picture.text(stage, .page),
                    detail: picture.text(ofShare: stage, .page),
                    layers: stage.ink.map { [Layer(to: fraction, ink: $0)] } ?? [])
            }, headings: .init(value: "Count", detail: "Share (95 % interval)"),
            isWide: picture.stages.count > 5)
    }
}

extension String {
    /// Without the leading spaces that indent a name on a terminal.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

extension PageFigure {
    /// A count, and its share of another one.
    package init(
        _ name: String, _ share: Proportion, of whole: String, prefix: String = "", ink: Ink,
        id: String? = nil
    ) {
        let part = share.value.map { "\(percent($0)) %" } ?? OutputStyle.page.nothing
        self.init(
            name: name, value: prefix + grouped(share.numerator), detail: "\(part) of \(whole)", ink: ink,
            id: id ?? name)
    }

    /// A rate, with its numerator and denominator.
    ///
    /// - Parameter nearly: precedes a numerator that is an estimate.
    init(
        rate name: String, _ rate: Proportion, of whole: String, prefix: String = "", nearly: String = "",
        ink: Ink, id: String? = nil
    ) {
        self.init(
            name: name, value: rate.value.map { "\(prefix)\(percent($0)) %" } ?? OutputStyle.page.nothing,
            detail: "\(nearly)\(grouped(rate.numerator)) of \(grouped(rate.denominator)) \(whole)"
                + (rate.interval.map {
                    ", \(percent($0.lowerBound))–\(percent($0.upperBound)) %"
                } ?? ""),
            ink: ink, id: id)
    }
}
