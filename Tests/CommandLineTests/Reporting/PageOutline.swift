import Foundation

/// A page's headings, figures, chart titles and tables, a line each, in their order on the page.
struct PageOutline {
    private(set) var lines: [String] = []

    init(of page: String) {
        let parts = page.matches(
            of:
                #/<(h1|h2|dl|table|p class="headline"|summary)[^>]*>(.*?)<\/(?:h1|h2|dl|table|p|summary)>|<ol class="stages">(.*?)<\/ol>|<svg role="img".*?<title[^>]*>(.*?)<\/title>/#
                .dotMatchesNewlines())
        for part in parts {
            if let list = part.3 { lines.append("  stages: \(Self.stages(String(list)))") }
            if let title = part.4 { lines.append("  chart: \(Self.words(title))") }
            guard let element = part.1, let content = part.2.map(String.init) else { continue }
            switch element {
            case "h1": lines.append("# \(Self.words(content))")
            case "h2": lines.append("## \(Self.words(content))")
            case "dl":
                let figures = Self.figures(content)
                if !figures.isEmpty { lines.append("  figures: \(figures)") }
            case "table": lines.append("  table: \(Self.table(content))")
            case "summary": lines.append("  folded: \(Self.words(content))")
            default: lines.append(Self.words(content))
            }
        }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    private static func figures(_ list: String) -> String {
        list.matches(of: #/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/#.dotMatchesNewlines())
            .map { "\(words($0.1)) \(words($0.2))" }.joined(separator: " | ")
    }

    /// Each with its number and its shares.
    private static func stages(_ list: String) -> String {
        list.matches(of: #/<li[^>]*>(.*?)<\/li>/#.dotMatchesNewlines()).map { words($0.1) }
            .joined(separator: " | ")
    }

    /// Its columns, how many rows it has, and its last row.
    private static func table(_ table: String) -> String {
        let columns = table.matches(of: #/<th scope="col"[^>]*>(.*?)<\/th>/#.dotMatchesNewlines())
        let rows = table.matches(of: #/<tr[^>]*>(.*?)<\/tr>/#.dotMatchesNewlines())
        let last = rows.last.map { words($0.1) } ?? ""
        let names = columns.map { words($0.1) }.filter { !$0.isEmpty }
        return "\(names.joined(separator: ", ")); \(rows.count - 1) rows; last: \(last)"
    }

    private static func words(_ markup: some StringProtocol) -> String {
        String(markup).replacing(#/<[^>]*>/#, with: " ").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }
}
