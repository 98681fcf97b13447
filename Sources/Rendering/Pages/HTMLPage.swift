package import Reports

/// A report as one HTML page: its subject, and sections one below the other. Every report creates
/// one, and one renderer draws all of them.
package struct HTMLPage {
    /// A fact without which the figures mean nothing. The name is empty if the fact continues the one before.
    package typealias Fact = (name: String, text: String)

    package let title: String
    /// The subject of the figures, such as the app.
    package let subject: String
    /// The result in one sentence.
    package let headline: String
    /// The first one, such as the window, is at the top of the page; all of them are at the end.
    let facts: [Fact]
    var sections: [HTMLSection]
    /// The metrics explained at the end.
    let terms: [Metric]

    package init(
        title: String, subject: String, headline: String = "", facts: [Fact], sections: [HTMLSection],
        terms: [Metric] = []
    ) {
        (self.title, self.subject, self.headline) = (title, subject, headline)
        (self.facts, self.sections, self.terms) = (facts, sections, terms)
    }

    /// The sections of one kind, in their order.
    func sections(_ kind: HTMLSection.Kind) -> [HTMLSection] { sections.filter { $0.kind == kind } }
}

extension Ink {
    /// The class in the page's style sheet, one for each meaning.
    package var pageClass: String { self == .title ? "strong" : String(describing: self) }
}

extension OutputStyle {
    /// The style of text on a page: all characters are available, and colors come from the style sheet.
    package static let page = OutputStyle(usesUnicode: true, usesColor: false)
}

extension HTMLPage {
    /// The whole document. It has no script and loads nothing; its Content-Security-Policy forbids both.
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
                .element("main", [:], [.element("p", ["class": "brand"], "Landfall"), content()]),
                .element(
                    "footer", [:],
                    "Created by Landfall. A notification counts at the time it was sent; accepted does not mean delivered."
                ),
            ])
    }

    /// The content of `main`: the header with the headline, the sections, the glossary and the facts.
    ///
    /// - Parameters:
    ///   - links: where names and numbers lead; nowhere on a page of its own.
    ///   - more: what follows the sections.
    package func content(_ links: PageLinks = PageLinks(), and more: [Markup] = []) -> Markup {
        let drawn = withoutHoles.enumerated().map { position, section in
            section.markup(id: "section-\(position + 1)", links)
        }
        return Markup(
            [header, .element("div", ["class": "sections"], drawn)] + more
                + (terms.isEmpty ? [] : [glossary]) + (facts.isEmpty ? [] : [about]))
    }

    /// The sections without gaps. Two half-width cards share a row; the last of an odd number gets its own.
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
        return .element("header", ["class": "heading"], [heading] + window + sentence)
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
            "section", ["class": "glossary"],
            [.folded("What the numbers mean", [.element("dl", [:], entries)])])
    }
}
