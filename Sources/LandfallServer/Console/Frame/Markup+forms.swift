internal import People
internal import Rendering

extension Markup {
    /// A form that changes something, with the proof that it is one of this session's.
    static func form(_ action: String, _ session: Session, _ fields: [Markup]) -> Markup {
        .element(
            "form", ["method": "post", "action": action],
            [.hidden(ConsoleForm.tokenField, session.formToken)] + fields)
    }

    /// Fields and a button, side by side if there is room.
    static func fields(_ fields: [Markup]) -> Markup { .element("div", ["class": "filters"], fields) }

    static func hidden(_ name: String, _ value: String) -> Markup {
        .empty("input", ["type": "hidden", "name": name, "value": value])
    }

    /// A labeled field.
    static func field(
        _ label: String, _ name: String, type: String = "text", value: String = "",
        _ more: Attributes = [:]
    ) -> Markup {
        .element(
            "label", ["class": "field"],
            [
                .element("span", [:], label),
                .empty("input", ["type": type, "name": name, "value": value] + more),
            ])
    }

    /// A labeled choice of one.
    static func choice(
        _ label: String, _ name: String, _ options: [(value: String, text: String)], selected: String
    ) -> Markup {
        .element(
            "label", ["class": "field"],
            [
                .element("span", [:], label),
                .element(
                    "select", ["name": name],
                    options.map { option in
                        .element(
                            "option",
                            ["value": option.value] + (option.value == selected ? ["selected": ""] : [:]),
                            option.text)
                    }),
            ])
    }
}

extension Markup {
    /// A table of what can be acted on.
    static func table(_ columns: [String], _ rows: [Markup]) -> Markup {
        let head = Markup.element("tr", [:], columns.map { .element("th", ["scope": "col"], $0) })
        let table = Markup.element(
            "table", [:], [.element("thead", [:], [head]), .element("tbody", [:], rows)])
        let scroll = Markup.element(
            "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Table"], [table])
        return .element("div", ["class": "card wide"], [scroll])
    }

    /// A row of it. The first cell names the row.
    ///
    /// - Parameter acts: links or forms in a last cell; `nil` for a table without that column.
    static func row(_ cells: [Markup], acts: [Markup]? = nil) -> Markup {
        .element(
            "tr", [:],
            cells.prefix(1).map { .element("th", ["scope": "row"], [$0]) }
                + cells.dropFirst().map { cell in
                    // Long texts may break, also on narrow screens.
                    .element("td", cell.text.utf8.count > 45 ? ["class": "long"] : [:], [cell])
                }
                + (acts.map { [.element("td", ["class": "acts"], $0)] } ?? []))
    }

    /// Something that is shown only once, such as a new key.
    static func secret(_ words: String, _ secret: String) -> Markup {
        .element(
            "div", ["class": "done", "role": "status"],
            [.element("p", [:], words), .element("pre", [:], [.element("code", [:], secret)])])
    }

    /// What is wrong with what a person entered.
    static func mistake(_ words: String) -> Markup {
        .element("p", ["class": "mistake", "role": "alert"], words)
    }
}
