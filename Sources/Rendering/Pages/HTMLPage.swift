package import Reports

/// A report as one HTML page: its subject, and sections one below the other. Every report creates
/// one, and one renderer draws all of them.
package struct HTMLPage {
    /// A fact without which the figures mean nothing. The name is empty if the fact continues the one before it.
    package typealias Fact = (name: String, text: String)

    package let title: String
    /// The subject of the figures, such as the app.
    package let subject: String
    /// The result in one sentence.
    package let headline: String
    /// The first one, such as the window, is at the top of the page; all of them are at the end.
    let facts: [Fact]
    let sections: [HTMLSection]
    /// The metrics explained at the end.
    let terms: [Metric]

    package init(
        title: String, subject: String, headline: String = "", facts: [Fact], sections: [HTMLSection],
        terms: [Metric] = []
    ) {
        (self.title, self.subject, self.headline) = (title, subject, headline)
        (self.facts, self.sections, self.terms) = (facts, sections, terms)
    }
}

package enum HTMLSection {
    /// The few most important numbers.
    case figures([PageFigure])
    /// Bars one below the other.
    case bars(BarChart)
    /// Columns side by side, over time.
    case columns(ColumnChart)
    /// The same for adjacent ranges, without gaps.
    case histogram(ColumnChart)
    /// A rate over time, with its interval.
    case rates(RateChart)
    case table(PageTable)
    /// A finding and its remedy.
    case story(PageStory)
    /// Remarks on the figures.
    case remarks([Remark])
    /// Lines as in a terminal, for content without a picture.
    case text([String])
    case note(String)
}

extension HTMLSection {
    /// The text that a terminal shows below its tables: a sentence, or several lines.
    static func words(_ lines: [String]) -> HTMLSection {
        guard lines.count == 1, let line = lines.first else { return .text(lines) }
        return .note(String(line.drop { $0 == " " }))
    }
}

/// A number and its denominator.
package struct PageFigure {
    let name: String
    let value: String
    let detail: String
    let ink: Ink?
    /// The id of the count or rate, for a comparison.
    let id: String?
    /// The change since another window.
    var change: (text: String, ink: Ink?)?

    package init(name: String, value: String, detail: String = "", ink: Ink? = nil, id: String? = nil) {
        (self.name, self.value, self.detail) = (name, value, detail)
        (self.ink, self.id) = (ink, id)
    }
}

extension [PageFigure] {
    /// The figures with their changes, if the report is compared with another window.
    func compared(_ table: ComparisonTable?) -> [PageFigure] {
        guard let table else { return self }
        return map { figure in
            var figure = figure
            if let id = figure.id { figure.change = table.change(of: id) }
            return figure
        }
    }
}

/// The meaning of a color.
struct LegendEntry {
    let name: String
    let ink: Ink
}

extension Ink {
    /// The class in the page's style sheet, one for each meaning.
    package var pageClass: String {
        switch self {
        case .title: "strong"
        case .aside: "aside"
        case .attempted: "attempted"
        case .accepted: "accepted"
        case .confirmed: "confirmed"
        case .clicked: "clicked"
        case .trouble: "trouble"
        }
    }
}

extension OutputStyle {
    /// The style of text on a page: all characters are available, and colors come from the style sheet.
    package static let page = OutputStyle(usesUnicode: true, usesColor: false)
}
