/// What all charts have in common: a heading, what the picture shows, what its colours stand for, the picture, and a table
/// with the same numbers.
struct ChartCard {
    let id: String
    let title: String
    let caption: String
    var legend: [LegendEntry] = []
    /// In pixels; the width is the card's.
    let height: Int
    var table: PageTable?
    /// As wide as the page.
    var isWide = false
    /// With x and width in percent: type keeps its size, whatever the width of the page.
    let shapes: [Markup]

    var markup: Markup {
        var parts: [Markup] = [.element("h2", ["id": "\(id)-heading"], title)]
        if !caption.isEmpty { parts.append(.element("p", ["class": "caption"], caption)) }
        if !legend.isEmpty { parts.append(.element("ul", ["class": "legend"], legend.map(Self.entry))) }
        parts.append(picture)
        let hasTable = table.map { !$0.rows.isEmpty } ?? false
        if let table, hasTable { parts.append(table.markup) }
        let cssClass = isWide ? hasTable ? "card wide beside" : "card wide" : "card"
        return .element("section", ["class": cssClass, "aria-labelledby": "\(id)-heading"], parts)
    }

    private var picture: Markup {
        let words: [Markup] = [
            .element("title", ["id": "\(id)-title"], title),
            .element("desc", ["id": "\(id)-desc"], caption),
        ]
        return .element(
            "svg",
            [
                "role": "img", "width": "100%", "height": String(height),
                "aria-labelledby": "\(id)-title \(id)-desc",
            ], words + shapes)
    }

    private static func entry(_ entry: LegendEntry) -> Markup {
        .element("li", ["class": entry.ink.pageClass], entry.name)
    }
}

/// A fraction of the width, `0.25` as `25%`. Plain digits, three decimals at most.
func percentage(_ fraction: Double) -> String {
    let thousandths = Int64((fraction * 100_000).rounded())
    let (whole, rest) = (thousandths / 1_000, abs(thousandths % 1_000))
    guard rest > 0 else { return "\(whole)%" }
    var digits = String(String(rest + 1_000).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(thousandths < 0 && whole == 0 ? "-" : "")\(whole).\(digits)%"
}

/// Words in a picture, which cannot fold: once as wide as a telephone has room for, once for all wider pages.
func pictureText(
    _ text: String, narrow: Int, wide: Int,
    _ attributes: (_ cssClass: String) -> KeyValuePairs<StaticString, String>
) -> [Markup] {
    let (short, long) = (shortened(text, to: narrow), shortened(text, to: wide))
    guard short != long else { return [.element("text", attributes(""), long)] }
    return [
        .element("text", attributes(" narrow-only"), short), .element("text", attributes(" wide-only"), long),
    ]
}

/// At most so many columns of a terminal, which is as good a measure as there is without the font.
private func shortened(_ text: String, to columns: Int) -> String {
    guard displayWidth(text) > columns else { return text }
    return beginning(of: text, columns: max(1, columns - 1)) + "…"
}
