/// A part of a page.
package enum HTMLSection {
    /// The few most important numbers.
    case figures([PageFigure])
    /// Stages, each a part of another.
    case stages(PageStages)
    /// Bars one below the other.
    case bars(BarChart)
    /// Numbers over time.
    case lines(LineChart)
    /// Counts of adjacent ranges.
    case histogram(Histogram)
    case table(PageTable)
    /// A finding and its remedy.
    case story(PageStory)
    /// Remarks on the figures.
    case remarks([Remark])
    /// Lines as in a terminal, for content without a picture.
    case text([String])
    /// A sentence; it may lead to another page.
    case note(String, to: String? = nil)
    case empty(EmptyPage)
}

extension HTMLSection {
    /// What a page of several reports takes from each of them.
    enum Kind { case stages, bars, lines, histogram, other }

    var kind: Kind {
        switch self {
        case .stages: .stages
        case .bars: .bars
        case .lines: .lines
        case .histogram: .histogram
        case .table, .figures, .story, .remarks, .text, .note, .empty: .other
        }
    }

    /// - Parameter id: the prefix of the ids within.
    func markup(id: String, _ links: PageLinks) -> Markup {
        switch self {
        case .figures(let figures): .element("dl", ["class": "figures"], figures.map { $0.markup(links) })
        case .stages(let stages): stages.card(id: id, links)
        case .bars(let chart): chart.card(id: id, links)
        case .lines(let chart): chart.card(id: id, links)
        case .histogram(let chart): chart.card(id: id, links)
        case .table(let table): table.card(id: id, links)
        case .story(let story): story.card(id: id)
        case .remarks(let remarks): Self.card(remarks, id: id, links)
        case .text(let lines):
            .element(
                "pre", ["class": "card wide scroll", "tabindex": "0"],
                lines.map { .element("span", [:], $0) })
        case .note(let text, let place):
            .element("p", ["class": "note"], [.link(to: place, Markup(text))])
        case .empty(let page): page.card(id: id, links)
        }
    }

    /// Whether there is nothing to show.
    var isEmpty: Bool {
        switch self {
        case .figures(let figures): figures.isEmpty
        case .stages(let stages): stages.stages.isEmpty
        case .bars(let chart): chart.bars.isEmpty
        case .histogram(let chart): chart.columns.isEmpty
        case .table(let table): table.rows.isEmpty
        case .remarks(let remarks): remarks.isEmpty
        case .text(let lines): lines.isEmpty
        case .note(let text, _): text.isEmpty
        case .lines, .story, .empty: false
        }
    }

    /// Whether the section takes half of a wide page.
    var isHalf: Bool {
        guard case .bars(let chart) = self else { return false }
        return !chart.isWide
    }

    var widened: HTMLSection {
        guard case .bars(var chart) = self else { return self }
        chart.isWide = true
        return .bars(chart)
    }

    private static func card(_ remarks: [Remark], id: String, _ links: PageLinks) -> Markup {
        let rows = remarks.map { remark in
            Markup.element(
                "div", [:],
                [
                    .element(
                        "dt", [:], [.link(to: remark.id.flatMap(links.glossary), Markup(remark.name))]),
                    .element("dd", ["class": "value"], remark.value),
                    .element("dd", [:], remark.meaning),
                ])
        }
        return .card(id, "Also counted", [.element("dl", ["class": "remarks"], rows)])
    }
}
