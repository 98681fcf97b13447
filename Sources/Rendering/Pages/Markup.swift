/// A piece of HTML or SVG. Text is always escaped, so that no name can become markup.
struct Markup {
    let text: String
    /// True if the piece contains only text.
    private let isText: Bool

    private init(text: String, isText: Bool) {
        self.text = text
        self.isText = isText
    }

    /// Text as it is shown. The space before a percent sign becomes non-breaking.
    init(_ words: String) {
        self.init(text: Self.escaped(words.replacing(" %", with: "\u{A0}%")), isText: true)
    }

    /// Element and attribute names are not escaped, because they are constants.
    static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
        _ children: [Markup] = []
    ) -> Markup {
        let start = "<\(name)\(text(of: attributes))>"
        guard children.contains(where: { !$0.isText }) else {
            return Markup(text: start + children.map(\.text).joined() + "</\(name)>", isText: false)
        }
        let lines = [start] + children.map(\.text) + ["</\(name)>"]
        return Markup(text: lines.joined(separator: "\n"), isText: false)
    }

    static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], _ words: String
    ) -> Markup {
        element(name, attributes, [Markup(words)])
    }

    /// An element without content and without an end tag.
    static func empty(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) -> Markup {
        Markup(text: "<\(name)\(text(of: attributes))>", isText: false)
    }

    /// An element of SVG without content.
    static func shape(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) -> Markup {
        Markup(text: "<\(name)\(text(of: attributes))/>", isText: false)
    }

    /// The page's own style rules, which do not come from outside.
    static func style(_ rules: String) -> Markup {
        Markup(text: "<style>\n\(rules)</style>", isText: false)
    }

    /// A name from outside. Right-to-left text in it does not affect its neighbors.
    static func name(_ text: String) -> Markup { element("bdi", [:], text) }

    private static func text(of attributes: KeyValuePairs<StaticString, String>) -> String {
        attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
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
