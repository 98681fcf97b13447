internal import Access
internal import DeliveryModel
internal import Reports

extension HTMLPage {
    /// What a terminal is shown, as a page: stages as bars, the table as a table, remarks below.
    ///
    /// - Parameters:
    ///   - figures: stand above everything else.
    ///   - charts: stand between the stages and the table.
    ///   - terms: ids of numbers to explain at the end.
    init(_ page: ReportPage, figures: [PageFigure], charts: [HTMLSection] = [], terms: [String]) {
        let stages = page.pictures.map { HTMLSection.bars(BarChart($0)) }
        self.init(
            title: page.title, subject: page.frame.query.app.slug,
            facts: page.heading.facts(.page),
            sections: [.figures(figures)] + stages + charts
                + [.table(PageTable(page.table)), .remarks(page.remarks)]
                + page.sections.map(HTMLSection.words) + (page.comparison?.htmlSections ?? []),
            terms: Metric.all.filter { terms.contains($0.id) })
    }
}

extension BarChart {
    /// Stages with their shares; those without a bar stand in the table only.
    init(_ picture: StagePicture) {
        let drawn = picture.stages.filter { $0.ink != nil }
        let whole = picture.stages.first { $0.count == picture.whole }
        let caption =
            whole.map { "A full bar is all \(picture.text($0, .page)) \($0.name.trimmed)." }
            ?? "A full bar is \(grouped(picture.whole))."
        let first = picture.stages.first?.name ?? ""
        self.init(
            title: picture.title.isEmpty ? first.prefix(1).uppercased() + first.dropFirst() : picture.title,
            caption: caption,
            bars: drawn.map { stage in
                let fraction = picture.whole > 0 ? Double(stage.count) / Double(picture.whole) : 0
                return Bar(
                    name: stage.name.trimmed, value: picture.text(stage, .page),
                    layers: [Layer(to: fraction, ink: stage.ink ?? .aside)])
            }, table: Self.table(picture), isWide: picture.stages.count > 5)
    }

    private static func table(_ picture: StagePicture) -> PageTable {
        let shares = picture.stages.contains { $0.share != nil }
        let columns: [PageTable.Column] = [
            .init(title: "Name", isNumber: false, isKey: true),
            .init(title: "Count", isNumber: true, isKey: false),
        ]
        let share = PageTable.Column(title: "Share (95 % interval)", isNumber: true, isKey: false)
        let rows = picture.stages.map { stage -> [PageTable.Cell] in
            let cells: [PageTable.Cell] = [
                .init(text: stage.name.trimmed, ink: nil),
                .init(text: picture.text(stage, .page), ink: nil),
            ]
            guard shares else { return cells }
            let text = stage.share.map { "\($0.proportion.text(.page)) of \($0.of)" } ?? ""
            return cells + [.init(text: text, ink: stage.ink)]
        }
        return PageTable(
            caption: "The stages as a table", columns: columns + (shares ? [share] : []), rows: rows)
    }
}

extension String {
    /// Without blanks in front, which indent a name on a terminal.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

extension PageFigure {
    /// A count, and what part it is of another one.
    init(_ name: String, _ share: Proportion, of whole: String, prefix: String = "", ink: Ink) {
        self.init(
            name: name, value: prefix + grouped(share.numerator),
            detail: "\(share.text(.page)) of \(whole)", ink: ink)
    }

    /// A rate, and what it was made of.
    ///
    /// - Parameter nearly: stands in front of a numerator that is an estimate.
    init(
        rate name: String, _ rate: Proportion, of whole: String, prefix: String = "", nearly: String = "",
        ink: Ink
    ) {
        self.init(
            name: name, value: rate.value.map { "\(prefix)\(percent($0)) %" } ?? OutputStyle.page.nothing,
            detail: "\(nearly)\(grouped(rate.numerator)) of \(grouped(rate.denominator)) \(whole)"
                + (rate.interval.map {
                    ", \(percent($0.lowerBound))–\(percent($0.upperBound)) %"
                } ?? ""),
            ink: ink)
    }
}
