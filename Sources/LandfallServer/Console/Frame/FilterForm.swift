internal import Rendering
internal import Reports

/// The question of a report as links and a form: the window, the breakdown, the comparison, the time zone, the filters.
struct FilterForm {
    /// The parameters of the page.
    let accepted: [String]
    let address: PageAddress
    /// Where the report can be shared; `nil` if it cannot.
    var sharing: String?
    /// Further fields of the page.
    var others: [Markup] = []

    /// The id of the form.
    private static let id = "question"

    private static let spans = [
        ("24h", "24 hours"), ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days"),
    ]

    private func accepts(_ parameter: String) -> Bool { accepted.contains(parameter) }

    var markup: Markup {
        .element(
            "section", ["class": "question", "aria-label": "Question"],
            (accepts("from") ? [spans] : []) + [form] + (filters.isEmpty ? [] : [chips])
                + (accepts("format") ? [downloads] : []))
    }

    // MARK: - Window

    private var spans: Markup {
        let from = address.values("from").first ?? "7d"
        let isOpen = address.values("to").isEmpty
        return .element(
            "nav", ["class": "spans", "aria-label": "Window"],
            Self.spans.map { value, text in
                let place = address.setting("to", to: nil).setting("from", to: value)
                let isCurrent: Markup.Attributes =
                    isOpen && value == from ? ["aria-current": "true"] : [:]
                return .element("a", ["href": place.text] + isCurrent, text)
            })
    }

    // MARK: - Form

    private var form: Markup {
        let named =
            ["by", "compare", "tz", "from", "to", "as_of", "unit", "with"] + Dimension.filters.map(\.rawValue)
        let kept = address.parameters.pairs.filter { !named.contains($0.name) }
            .map { Markup.hidden($0.name, $0.value) }
        let fields = [breakdown, comparison, unit].compactMap(\.self) + others
        return .element(
            "form", ["id": Self.id, "method": "get", "action": address.path, "class": "filters"],
            kept + fields + [more, .element("button", [:], "Show")])
    }

    private var breakdown: Markup? {
        guard accepts("by"), accepts("compare") else { return nil }
        let usable = Dimension.allCases.filter {
            $0.isOfClick ? address.path.hasSuffix("/clicks") : $0.isPeriod || accepts($0.rawValue)
        }
        let options = [("", "nothing")] + usable.map { ($0.rawValue, $0.rawValue.inWords) }
        let current = address.values("by").joined(separator: ",")
        let others = options.contains { $0.0 == current } ? [] : [(current, current.inWords)]
        return .choice("By", "by", options + others, selected: current)
    }

    /// Without a breakdown, a page compares with the time before by itself.
    private var comparison: Markup? {
        guard accepts("compare") else { return nil }
        let isBrokenDown = !address.values("by").isEmpty
        let current = address.values("compare").first ?? ""
        let options =
            isBrokenDown
            ? [("", "nothing"), ("previous", "the time before")]
            : [("", "the time before"), (QueryParameters.noComparison, "nothing")]
        let isSame = current == (isBrokenDown ? QueryParameters.noComparison : "previous")
        let selected = isSame ? "" : current
        let others = options.contains { $0.0 == selected } ? [] : [(selected, selected)]
        return .choice("Compare with", "compare", options + others, selected: selected)
    }

    private var unit: Markup? {
        guard accepts("unit") else { return nil }
        let units = ["installations", "tokens"].map { ($0, $0) }
        return .choice("Count", "unit", units, selected: address.values("unit").first ?? "installations")
    }

    private var more: Markup {
        let names = [("from", "From"), ("to", "To"), ("as_of", "As of"), ("tz", "Time zone")]
        let shown = names.filter { accepts($0.0) }
        let isOpen = !address.values("to").isEmpty
        return .element(
            "details", ["class": "more"] + (isOpen ? ["open": ""] : [:]),
            [
                .element("summary", [:], "Dates and time zone"),
                .element(
                    "div", [:],
                    shown.map { name, label in
                        .field(
                            label, name, value: address.values(name).first ?? "",
                            ["placeholder": name == "tz" ? "UTC" : "2026-03-01 or 7d", "size": "14"])
                    }),
            ])
    }

    // MARK: - Filters and downloads

    private var filters: [(name: String, value: String)] {
        let names = Set(Dimension.filters.map(\.rawValue))
        return address.parameters.pairs.filter { names.contains($0.name) }
    }

    /// Each chip is a field of the form, and clearing it removes its filter. A link would repeat all other filters.
    private var chips: Markup {
        .element(
            "ul", ["class": "chips", "aria-label": "Filters"],
            filters.map { name, value in
                let field: Markup.Attributes = [
                    "type": "checkbox", "form": Self.id, "name": name, "value": value, "checked": "",
                ]
                return .element(
                    "li", [:],
                    [
                        .element(
                            "label", [:],
                            [
                                .empty("input", field), Markup("\(name.inWords) "),
                                .name(value.isEmpty ? "none" : value),
                            ])
                    ])
            })
    }

    private var downloads: Markup {
        let files = ["csv", "json"].map { format in
            Markup.element(
                "a", ["href": address.setting("format", to: format).text, "download": ""], format.uppercased()
            )
        }
        let share = sharing.map { [Markup.element("a", ["href": $0], "Share")] } ?? []
        return .element("p", ["class": "downloads"], files + share)
    }
}

extension String {
    /// `push_type` as people read it.
    fileprivate var inWords: String { replacing("_", with: " ").replacing(",", with: " and ") }
}

extension QueryParameters {
    /// The value of `compare` in the address of a page that compares with nothing.
    static let noComparison = "none"

    var comparesNothing: Bool { all("compare") == [Self.noComparison] }
}
