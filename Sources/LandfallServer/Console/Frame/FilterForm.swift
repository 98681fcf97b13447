internal import Rendering
internal import Reports

/// A report's question as links and a form: the window, breakdown, comparison, time zone and filters.
struct FilterForm {
    let accepted: [String]
    let address: PageAddress
    /// Where the report can be shared; `nil` if it cannot.
    var sharing: String?
    var others: [Markup] = []

    private static let id = "question"

    private static let spans = [
        ("24h", "24 hours"), ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days"),
    ]
    private static let times = [("from", "From"), ("to", "To"), ("as_of", "As of"), ("tz", "Time zone")]

    private func accepts(_ parameter: String) -> Bool { accepted.contains(parameter) }

    private func value(_ parameter: String) -> String? { address.values(parameter).first }

    var markup: Markup {
        Tag("section")(class: "question", ["aria-label": "Question"]) {
            if accepts("from") { spans }
            form
            if !filters.isEmpty { chips }
            if accepts("format") { downloads }
        }
    }

    private var spans: Markup {
        let from = value("to") == nil ? value("from") ?? "7d" : nil
        return Tag("nav")(class: "spans", ["aria-label": "Window"]) {
            for (value, text) in Self.spans {
                let place = address.setting("to", to: nil).setting("from", to: value)
                let isCurrent: Markup.Attributes = value == from ? ["aria-current": "true"] : [:]
                a(["href": place.text] + isCurrent) { text }
            }
        }
    }

    // MARK: - Form

    private var form: Markup {
        let named =
            ["by", "compare", "tz", "from", "to", "as_of", "unit", "with"] + Dimension.filters.map(\.rawValue)
        return Tag("form")(["id": Self.id, "method": "get", "action": address.path, "class": "filters"]) {
            for kept in address.parameters.pairs where !named.contains(kept.name) {
                hidden(kept.name, kept.value)
            }
            if accepts("by"), accepts("compare") { breakdown }
            if accepts("compare") { comparison }
            if accepts("unit") {
                let units = ["installations", "tokens"].map { ($0, $0) }
                choice("Count", "unit", units, selected: value("unit") ?? "installations")
            }
            others
            Tag("details")(class: "more", value("to") != nil ? ["open": ""] : [:]) {
                Tag("summary") { "Dates and time zone" }
                div {
                    for (name, label) in Self.times where accepts(name) {
                        let example = name == "tz" ? "UTC" : "2026-03-01 or 7d"
                        field(label, name, value: value(name) ?? "", ["placeholder": example, "size": "14"])
                    }
                }
            }
            button { "Show" }
        }
    }

    private var breakdown: Markup {
        let usable = Dimension.allCases.filter {
            $0.isOfClick ? address.path.hasSuffix("/clicks") : $0.isPeriod || accepts($0.rawValue)
        }
        let options = [("", "nothing")] + usable.map { ($0.rawValue, $0.rawValue.inWords) }
        let current = address.values("by").joined(separator: ",")
        let others = options.contains { $0.0 == current } ? [] : [(current, current.inWords)]
        return choice("By", "by", options + others, selected: current)
    }

    /// Without a breakdown, a page compares with the time before by itself.
    private var comparison: Markup {
        let isBrokenDown = !address.values("by").isEmpty
        let current = value("compare") ?? ""
        let options =
            isBrokenDown
            ? [("", "nothing"), ("previous", "the time before")]
            : [("", "the time before"), (QueryParameters.noComparison, "nothing")]
        let isSame = current == (isBrokenDown ? QueryParameters.noComparison : "previous")
        let selected = isSame ? "" : current
        let others = options.contains { $0.0 == selected } ? [] : [(selected, selected)]
        return choice("Compare with", "compare", options + others, selected: selected)
    }

    // MARK: - Filters and downloads

    private var filters: [(name: String, value: String)] {
        let names = Set(Dimension.filters.map(\.rawValue))
        return address.parameters.pairs.filter { names.contains($0.name) }
    }

    /// Each chip is a form field; clearing it removes its filter. A link would repeat all other filters.
    private var chips: Markup {
        Tag("ul")(class: "chips", ["aria-label": "Filters"]) {
            for (name, value) in filters {
                let field: Markup.Attributes = [
                    "type": "checkbox", "form": Self.id, "name": name, "value": value, "checked": "",
                ]
                li {
                    Tag("label") {
                        Markup.empty("input", field)
                        "\(name.inWords) "
                        Markup.name(value.isEmpty ? "none" : value)
                    }
                }
            }
        }
    }

    private var downloads: Markup {
        p(class: "downloads") {
            for format in ["csv", "json"] {
                let file = address.setting("format", to: format).text
                a(["href": file, "download": ""]) { format.uppercased() }
            }
            if let sharing { a(["href": sharing]) { "Share" } }
        }
    }
}

extension String {
    /// `push_type` as people read it.
    fileprivate var inWords: String { replacing("_", with: " ").replacing(",", with: " and ") }
}

/// The address of a page with its query, which is all its state.
struct PageAddress: Sendable {
    let path: String
    private(set) var parameters: QueryParameters

    init(path: String, _ parameters: QueryParameters) {
        (self.path, self.parameters) = (path, parameters.withoutEmptyFields)
    }

    var text: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// Whether many links of a page may repeat the query. Every row would add a long one to the page.
    var isShort: Bool { query.utf8.count <= 1_000 }

    var query: String { parameters.query }

    /// The address with this value for a parameter, instead of all earlier ones; with `nil` for none.
    func setting(_ name: String, to value: String?) -> PageAddress {
        var address = self
        address.parameters = parameters.setting(name, to: value)
        return address
    }

    func values(_ name: String) -> [String] { parameters.all(name) }
}

extension QueryParameters {
    /// The value of `compare` in the address of a page that compares with nothing.
    static let noComparison = "none"

    var comparesNothing: Bool { all("compare") == [Self.noComparison] }

    /// Without the fields into which nothing was entered. An empty filter stays: it selects what has no name.
    var withoutEmptyFields: QueryParameters {
        let filters = Dimension.filters.map(\.rawValue)
        return QueryParameters(pairs.filter { !$0.value.isEmpty || filters.contains($0.name) })
    }
}
