internal import Reports

extension HTMLPage {
    /// The whole document. It contains no script and loads nothing, and its Content-Security-Policy forbids both.
    package var text: String { Markup.element("html", ["lang": "en"], [head, body]).document }

    /// The style rules of every page, which need no rules from elsewhere.
    package static var styleSheet: String { String(decoding: PackageResources.page_css, as: UTF8.self) }

    private var head: Markup {
        .element(
            "head", [:],
            [
                .empty("meta", ["charset": "utf-8"]),
                .empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                .empty("meta", ["name": "color-scheme", "content": "light dark"]),
                .empty(
                    "meta",
                    [
                        "http-equiv": "Content-Security-Policy",
                        "content": "default-src 'none'; style-src 'unsafe-inline'",
                    ]),
                .empty("meta", ["name": "generator", "content": "Landfall"]),
                .element("title", [:], "\(title) · \(subject)"),
                .style(Self.styleSheet),
            ])
    }

    private var body: Markup {
        .element(
            "body", [:],
            [
                .element("main", [:], [content()]),
                .element(
                    "footer", [:],
                    "Created by Landfall. A notification counts at the time it was sent; accepted does not mean delivered."
                ),
            ])
    }

    /// The content of the document's `main`: the header with the headline, the sections, the glossary and the facts.
    ///
    /// - Parameter links: where names and numbers lead; nowhere on a page of its own.
    package func content(_ links: PageLinks = PageLinks()) -> Markup {
        let drawn = withoutHoles.enumerated().map { position, section in
            section.markup(id: "section-\(position + 1)", links)
        }
        return Markup(
            [header, .element("div", ["class": "sections"], drawn)]
                + (terms.isEmpty ? [] : [glossary]) + [about])
    }

    /// The sections without gaps. Two half-width cards share a row; the last one of an odd number gets a row of its own.
    private var withoutHoles: [HTMLSection] {
        var filled: [HTMLSection] = []
        var isAlone = false
        for section in sections where !section.isEmpty {
            if section.isHalf {
                isAlone.toggle()
            } else {
                if isAlone, let last = filled.popLast() { filled.append(last.widened) }
                isAlone = false
            }
            filled.append(section)
        }
        if isAlone, let last = filled.popLast() { filled.append(last.widened) }
        return filled
    }

    private var header: Markup {
        let heading = Markup.element(
            "h1", [:], [.element("span", ["class": "report"], title), .name(subject)])
        let window = facts.first.map { [Markup.element("p", ["class": "window"], [.name($0.text)])] } ?? []
        let sentence = headline.isEmpty ? [] : [Markup.element("p", ["class": "headline"], headline)]
        return .element(
            "header", [:], [.element("p", ["class": "brand"], "Landfall"), heading] + window + sentence)
    }

    /// The facts without which the figures mean nothing, at the end of the page.
    private var about: Markup {
        .element(
            "section", ["class": "about", "aria-labelledby": "about-title"],
            [
                .element("h2", ["id": "about-title"], "About these numbers"),
                .element("dl", ["class": "facts"], facts.flatMap(Self.fact)),
            ])
    }

    private static func fact(_ fact: Fact) -> [Markup] {
        let text = Markup.element("dd", [:], [.name(fact.text)])
        return fact.name.isEmpty ? [text] : [.element("dt", [:], fact.name), text]
    }

    private var glossary: Markup {
        let entries = terms.flatMap { metric -> [Markup] in
            let words = ([metric.meaning] + metric.caveats).joined(separator: " ")
            return [
                .element("dt", [:], metric.id),
                .element("dd", [:], [.element("code", [:], metric.formula), .element("p", [:], words)]),
            ]
        }
        return .element(
            "section", ["class": "glossary", "aria-labelledby": "glossary-title"],
            [
                .element("h2", ["id": "glossary-title"], "What the numbers mean"),
                .element("dl", [:], entries),
            ])
    }
}

extension HTMLSection {
    /// - Parameter id: the prefix of the ids within.
    func markup(id: String, _ links: PageLinks) -> Markup {
        switch self {
        case .figures(let figures): .element("dl", ["class": "figures"], figures.map { $0.markup(links) })
        case .bars(let chart): chart.card(id: id, links)
        case .columns(let chart), .histogram(let chart): chart.card(id: id)
        case .rates(let chart): chart.card(id: id)
        case .table(let table): table.card(id: id, links)
        case .story(let story): story.card(id: id)
        case .remarks(let remarks): Self.list(remarks)
        case .text(let lines):
            .element(
                "pre", ["class": "card wide scroll", "tabindex": "0"],
                lines.map { .element("span", [:], $0) })
        case .note(let text): .element("p", ["class": "note"], text)
        }
    }

    /// Whether there is nothing to show.
    fileprivate var isEmpty: Bool {
        switch self {
        case .figures(let figures): figures.isEmpty
        case .bars(let chart): chart.bars.isEmpty
        case .columns(let chart), .histogram(let chart): chart.columns.isEmpty
        case .rates(let chart): chart.points.isEmpty
        case .table(let table): table.rows.isEmpty
        case .story: false
        case .remarks(let remarks): remarks.isEmpty
        case .text(let lines): lines.isEmpty
        case .note(let text): text.isEmpty
        }
    }

    /// Whether the section takes half of a wide page.
    fileprivate var isHalf: Bool {
        guard case .bars(let chart) = self else { return false }
        return !chart.isWide
    }

    fileprivate var widened: HTMLSection {
        guard case .bars(var chart) = self else { return self }
        chart.isWide = true
        return .bars(chart)
    }

    private static func list(_ remarks: [Remark]) -> Markup {
        let rows = remarks.map { remark in
            Markup.element(
                "div", [:],
                [
                    .element("dt", [:], remark.name), .element("dd", ["class": "value"], remark.value),
                    .element("dd", [:], remark.meaning),
                ])
        }
        return .element("dl", ["class": "card wide remarks"], rows)
    }
}

extension PageFigure {
    fileprivate func markup(_ links: PageLinks) -> Markup {
        .element(
            "div", ["class": ink.map { "figure \($0.pageClass)" } ?? "figure"],
            [
                .element("dt", [:], [.link(to: links.glossary(id ?? name), Markup(name))]),
                .element("dd", ["class": "value"], value),
                .element("dd", ["class": "detail"], detail),
            ]
                + (change.map { change in
                    let cssClass = change.ink.map { "change \($0.pageClass)" } ?? "change"
                    return [.element("dd", ["class": cssClass], change.text)]
                } ?? []))
    }
}
