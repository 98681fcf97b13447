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
    package var pageClass: String {
        switch self {
        case .title: "strong"
        case .aside: "aside"
        case .attempted: "attempted"
        case .accepted: "accepted"
        case .confirmed: "confirmed"
        case .clicked: "clicked"
        case .caution: "caution"
        case .trouble: "trouble"
        }
    }
}

extension OutputStyle {
    /// The style of text on a page: all characters are available, and colors come from the style sheet.
    package static let page = OutputStyle(usesUnicode: true, usesColor: false)
}
