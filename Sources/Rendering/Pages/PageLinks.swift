internal import Reports

/// Where the names and numbers of a page lead. A page of its own has no links.
package struct PageLinks: Sendable {
    private let address: @Sendable (_ dimension: String, _ value: String) -> String?
    private let explanation: @Sendable (_ metric: String) -> String?

    /// - Parameters:
    ///   - filter: the address of the same report, of only the rows with this value of this dimension. The value is "" for rows
    ///     without one.
    ///   - glossary: the address of a metric's explanation, by its id.
    package init(
        filter: @escaping @Sendable (_ dimension: String, _ value: String) -> String? = { _, _ in nil },
        glossary: @escaping @Sendable (_ metric: String) -> String? = { _ in nil }
    ) {
        (address, explanation) = (filter, glossary)
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

    /// The explanation of a column: `Click-through` is `click_through`.
    func glossary(ofTitle title: String) -> String? {
        glossary(title.lowercased().replacing("-", with: "_").replacing(" ", with: "_"))
    }
}
