internal import People
internal import Rendering

/// Pieces of a page, one after the other. Words are escaped.
@resultBuilder
enum MarkupBuilder {
    static func buildExpression(_ words: String) -> [Markup] { [Markup(words)] }
    static func buildExpression(_ piece: Markup?) -> [Markup] { piece.map { [$0] } ?? [] }
    static func buildExpression(_ pieces: [Markup]) -> [Markup] { pieces }
    static func buildBlock(_ parts: [Markup]...) -> [Markup] { parts.flatMap(\.self) }
    static func buildOptional(_ part: [Markup]?) -> [Markup] { part ?? [] }
    static func buildEither(first part: [Markup]) -> [Markup] { part }
    static func buildEither(second part: [Markup]) -> [Markup] { part }
    static func buildArray(_ parts: [[Markup]]) -> [Markup] { parts.flatMap(\.self) }
}

/// An element, with its class, its other attributes and its content: `p(class: "note") { "Nothing yet." }`.
struct Tag: Sendable {
    private let name: StaticString

    init(_ name: StaticString) { self.name = name }

    func callAsFunction(
        class style: String? = nil, _ attributes: Markup.Attributes = [:],
        @MarkupBuilder _ content: () -> [Markup]
    ) -> Markup {
        .element(name, (style.map { ["class": $0] } ?? [:]) + attributes, content())
    }
}

let (a, button, code, div) = (Tag("a"), Tag("button"), Tag("code"), Tag("div"))
let (h1, h2, li, p, pre) = (Tag("h1"), Tag("h2"), Tag("li"), Tag("p"), Tag("pre"))
let (span, td, th, tr) = (Tag("span"), Tag("td"), Tag("th"), Tag("tr"))

// MARK: - Forms

/// A form that changes something, with the proof that it is one of this session's.
func postForm(_ action: String, _ session: Session, @MarkupBuilder _ content: () -> [Markup]) -> Markup {
    Tag("form")(["method": "post", "action": action]) {
        hidden(ConsoleForm.tokenField, session.formToken)
        content()
    }
}

/// A form to fill in. Its fields and the button are side by side if there is room.
func entryForm(
    _ action: String, _ session: Session, button words: String, @MarkupBuilder _ fields: () -> [Markup]
) -> Markup {
    postForm(action, session) {
        div(class: "filters") {
            fields()
            button(class: "primary") { words }
        }
    }
}

func hidden(_ name: String, _ value: String) -> Markup {
    .empty("input", ["type": "hidden", "name": name, "value": value])
}

func field(
    _ label: String, _ name: String, type: String = "text", value: String = "",
    _ more: Markup.Attributes = [:]
) -> Markup {
    Tag("label")(class: "field") {
        span { label }
        Markup.empty("input", ["type": type, "name": name, "value": value] + more)
    }
}

func choice(
    _ label: String, _ name: String, _ options: [(value: String, text: String)], selected: String
) -> Markup {
    Tag("label")(class: "field") {
        span { label }
        Tag("select")(["name": name]) {
            for option in options {
                let isSelected: Markup.Attributes = option.value == selected ? ["selected": ""] : [:]
                Tag("option")(["value": option.value] + isSelected) { option.text }
            }
        }
    }
}

// MARK: - Tables

/// A table, whose rows are named by their first cells.
func table<Items: Sequence>(
    _ columns: [String], _ items: Items, @MarkupBuilder cells: (Items.Element) -> [Markup]
) -> Markup { table(columns, rows: items.map { row(cells($0)) }) }

/// A table with a last column for links or forms that act on the row.
func table<Items: Sequence>(
    _ columns: [String], _ items: Items, @MarkupBuilder cells: (Items.Element) -> [Markup],
    @MarkupBuilder acts: (Items.Element) -> [Markup]
) -> Markup { table(columns + [""], rows: items.map { row(cells($0), acts: acts($0)) }) }

private func table(_ columns: [String], rows: [Markup]) -> Markup {
    div(class: "card wide") {
        div(class: "scroll", ["tabindex": "0", "role": "region", "aria-label": "Table"]) {
            Tag("table") {
                Tag("thead") { tr { for column in columns { th(["scope": "col"]) { column } } } }
                Tag("tbody") { rows }
            }
        }
    }
}

private func row(_ cells: [Markup], acts: [Markup]? = nil) -> Markup {
    tr {
        for cell in cells.prefix(1) { th(["scope": "row"]) { cell } }
        for cell in cells.dropFirst() {
            // Long texts may break, also on narrow screens.
            td(class: cell.text.utf8.count > 45 ? "long" : nil) { cell }
        }
        if let acts { td(class: "acts") { acts } }
    }
}

extension Markup {
    /// Something that is shown only once, such as a new key.
    static func secret(_ words: String, _ secret: String) -> Markup {
        div(class: "done", ["role": "status"]) {
            p { words }
            pre { code { secret } }
        }
    }

    /// What is wrong with what a person entered.
    static func mistake(_ words: String) -> Markup { p(class: "mistake", ["role": "alert"]) { words } }
}
