internal import Reports

/// Where the names and numbers of a page lead. A page of its own has no links.
package struct PageLinks: Sendable {
    private let address: @Sendable (_ dimension: String, _ value: String) -> String?
    private let explanation: @Sendable (_ metric: String) -> String?
    private let order: PageOrder?
    /// The server to which events are posted.
    let server: String

    /// - Parameters:
    ///   - filter: the address of the same report, of only the rows with this value of this dimension. The
    ///     value is "" for rows without one.
    ///   - glossary: the address of a metric's explanation, by its id.
    ///   - order: `nil` if the rows of the page cannot be sorted.
    ///   - server: the address to which events are posted; `nil` for that of a server on the same machine.
    package init(
        filter: @escaping @Sendable (_ dimension: String, _ value: String) -> String? = { _, _ in nil },
        glossary: @escaping @Sendable (_ metric: String) -> String? = { _ in nil },
        order: PageOrder? = nil, server: String? = nil
    ) {
        (address, explanation, self.order) = (filter, glossary, order)
        self.server = server ?? "http://127.0.0.1:8080"
    }

    /// `nil` for a period, and for what no report can be filtered by.
    func filter(_ part: RowKey.Part?) -> String? {
        guard let part, Dimension.filters.contains(part.dimension) else { return nil }
        return address(part.dimension.rawValue, part.value ?? "")
    }

    /// `nil` if the glossary does not have the metric.
    func glossary(_ id: String) -> String? {
        Metric.all.contains { $0.id == id } ? explanation(id) : nil
    }

    /// The heading of a column: a link that sorts the rows by it if possible, or leads to its explanation.
    ///
    /// - Parameter id: of the column's figure or metric; `nil` if it has none.
    func heading(_ title: String, _ id: String?) -> (content: Markup, isSorted: Bool) {
        guard let order, let id, order.ids.contains(id) else {
            return (.link(to: id.flatMap(glossary), Markup(title)), false)
        }
        let isSorted = order.current == id
        let meaning = Metric.all.first { $0.id == id }.map { ["title": $0.meaning] as Markup.Attributes }
        let address = order.address(isSorted ? nil : id)
        return (
            .element("a", ["href": address, "class": "order"] + (meaning ?? [:]), title), isSorted
        )
    }
}

/// How the rows of a page are sorted, and can be.
package struct PageOrder: Sendable {
    /// The ids of counts and rates.
    let ids: [String]
    /// `nil` for the report's own order.
    let current: String?
    /// The address of the page sorted by this id, or in its own order.
    let address: @Sendable (_ id: String?) -> String

    package init(ids: [String], current: String?, address: @escaping @Sendable (_ id: String?) -> String) {
        (self.ids, self.current, self.address) = (ids, current, address)
    }
}
