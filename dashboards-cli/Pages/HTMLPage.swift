internal import Reports

/// A report as one page: what it is about, and sections one below the other. Every report makes one; one renderer draws all
/// of them.
struct HTMLPage {
    /// What figures mean nothing without. The name is empty where a fact belongs to the one before it.
    typealias Fact = (name: String, text: String)

    let title: String
    /// Whose figures these are.
    let subject: String
    /// What the figures come to, in a sentence.
    var headline = ""
    /// The first one, such as the window, is above everything else; all of them are at the end.
    let facts: [Fact]
    var sections: [HTMLSection]
    /// What is explained at the end.
    var terms: [Metric] = []
}

enum HTMLSection {
    /// The few numbers that are looked at first.
    case figures([PageFigure])
    /// Bars one below the other.
    case bars(BarChart)
    /// Columns side by side, over time.
    case columns(ColumnChart)
    /// The same for ranges of a size, without gaps.
    case histogram(ColumnChart)
    /// A rate over time, with its interval.
    case rates(RateChart)
    case table(PageTable)
    /// Something that is so, and what to do about it.
    case story(PageStory)
    /// What else has to be known.
    case remarks([Remark])
    /// Lines of a terminal, for what has no picture.
    case text([String])
    case note(String)
}

extension HTMLSection {
    /// What a terminal shows below its tables: a sentence, or lines that stand below one another.
    static func words(_ lines: [String]) -> HTMLSection {
        guard lines.count == 1, let line = lines.first else { return .text(lines) }
        return .note(String(line.drop { $0 == " " }))
    }
}

/// A number, and what it is of.
struct PageFigure {
    let name: String
    let value: String
    var detail = ""
    var ink: Ink?
    /// Of the count or rate, for a comparison.
    var id: String?
    /// What became of it since another window.
    var change: (text: String, ink: Ink?)?
}

extension [PageFigure] {
    /// With their changes, where the report is compared with another window.
    func compared(_ table: ComparisonTable?) -> [PageFigure] {
        guard let table else { return self }
        return map { figure in
            var figure = figure
            if let id = figure.id { figure.change = table.change(of: id) }
            return figure
        }
    }
}

/// What a colour stands for.
struct LegendEntry {
    let name: String
    let ink: Ink
}

extension Ink {
    /// The class of the page's style sheet.
    var pageClass: String {
        switch self {
        case .title: "ink-title"
        case .aside: "ink-aside"
        case .attempted: "ink-attempted"
        case .accepted: "ink-accepted"
        case .confirmed: "ink-confirmed"
        case .clicked: "ink-clicked"
        case .trouble: "ink-trouble"
        }
    }
}

extension OutputStyle {
    /// For words on a page: as rich as characters get, colours come from the style sheet.
    static let page = OutputStyle(usesUnicode: true, usesColour: false)
}
