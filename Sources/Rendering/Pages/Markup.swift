/// A piece of HTML or SVG. Text is always escaped, so that no name can become markup.
package struct Markup: Sendable {
    package let text: String
    /// True if the piece contains only text.
    private let isText: Bool

    private init(text: String, isText: Bool) {
        self.text = text
        self.isText = isText
    }

    /// Text as it is shown. The space before a percent sign becomes non-breaking.
    package init(_ words: String) {
        self.init(text: Self.escaped(words.replacing(" %", with: "\u{A0}%")), isText: true)
    }

    /// Several pieces, one after the other.
    package init(_ pieces: [Markup]) {
        self.init(text: pieces.map(\.text).joined(separator: "\n"), isText: false)
    }

    /// Element and attribute names are not escaped, because they are constants.
    package static func element(
        _ name: StaticString, _ attributes: Attributes = [:],
        _ children: [Markup] = []
    ) -> Markup {
        let start = "<\(name)\(text(of: attributes))>"
        guard children.contains(where: { !$0.isText }) else {
            return Markup(text: start + children.map(\.text).joined() + "</\(name)>", isText: false)
        }
        let lines = [start] + children.map(\.text) + ["</\(name)>"]
        return Markup(text: lines.joined(separator: "\n"), isText: false)
    }

    package static func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ words: String
    ) -> Markup {
        element(name, attributes, [Markup(words)])
    }

    /// An element without content and without an end tag.
    package static func empty(_ name: StaticString, _ attributes: Attributes) -> Markup {
        Markup(text: "<\(name)\(text(of: attributes))>", isText: false)
    }

    /// An element of SVG without content.
    package static func shape(_ name: StaticString, _ attributes: Attributes) -> Markup {
        Markup(text: "<\(name)\(text(of: attributes))/>", isText: false)
    }

    /// The page's own style rules, which do not come from outside.
    static func style(_ rules: String) -> Markup {
        Markup(text: "<style>\n\(rules)</style>", isText: false)
    }

    /// A name from outside. Right-to-left text in it does not affect its neighbors.
    package static func name(_ text: String) -> Markup { element("bdi", [:], text) }

    /// A document of this element.
    package var document: String { "<!doctype html>\n\(text)\n" }

    private static func text(of attributes: Attributes) -> String {
        attributes.pairs.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Markup {
    /// The attributes of an element, in the order of output. A boolean attribute has the value "".
    package struct Attributes: ExpressibleByDictionaryLiteral, Sendable {
        let pairs: [(name: StaticString, value: String)]

        package init(dictionaryLiteral pairs: (StaticString, String)...) {
            self.pairs = pairs.map { (name: $0.0, value: $0.1) }
        }

        private init(pairs: [(name: StaticString, value: String)]) { self.pairs = pairs }

        package static func + (first: Attributes, second: Attributes) -> Attributes {
            Attributes(pairs: first.pairs + second.pairs)
        }
    }

    /// A section of a page, named by its heading.
    ///
    /// - Parameter id: the prefix of the ids within.
    static func card(
        _ id: String, _ title: String, kind: String = "card wide", caption: String = "", _ content: [Markup]
    ) -> Markup {
        .element(
            "section", ["class": kind, "aria-labelledby": "\(id)-heading"],
            [.element("h2", ["id": "\(id)-heading"], title)]
                + (caption.isEmpty ? [] : [.element("p", ["class": "caption"], caption)]) + content)
    }

    /// A picture as wide as its place, hidden from screen readers because the numbers are next to it.
    ///
    /// - Parameter isStretched: whether its coordinates are thousandths of its width and height.
    static func picture(
        _ cssClass: String? = nil, height: Int, isStretched: Bool = false, _ shapes: [Markup]
    ) -> Markup {
        let kind: Attributes = cssClass.map { ["class": $0] } ?? [:]
        let stretched: Attributes = ["viewBox": "0 0 1000 1000", "preserveAspectRatio": "none"]
        let size: Attributes = ["aria-hidden": "true", "width": "100%", "height": String(height)]
        return .element("svg", kind + size + (isStretched ? stretched : [:]), shapes)
    }

    /// A link, or only its content if it leads nowhere.
    package static func link(to place: String?, _ content: Markup) -> Markup {
        place.map { .element("a", ["href": $0], [content]) } ?? content
    }

    /// Content that a reader can unfold, also without a script. It is printed unfolded.
    package static func folded(_ summary: String, _ content: [Markup]) -> Markup {
        .element("details", [:], [.element("summary", [:], summary)] + content)
    }
}
