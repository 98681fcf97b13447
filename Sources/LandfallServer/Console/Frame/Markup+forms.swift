internal import People
internal import Rendering

extension Markup {
    /// A form that changes something, with the proof that it is one of this session's.
    static func form(_ action: String, _ session: Session, _ fields: [Markup]) -> Markup {
        .element(
            "form", ["method": "post", "action": action],
            [.hidden(ConsoleForm.tokenField, session.formToken)] + fields)
    }

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
