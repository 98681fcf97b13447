internal import Reports

/// The address of a page with its query, which is all its state.
struct PageAddress: Sendable {
    let path: String
    private(set) var parameters: QueryParameters

    init(path: String, _ parameters: QueryParameters) {
        self.path = path
        self.parameters = parameters.withoutEmptyFields
    }

    var text: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// Whether many links of a page may repeat the query. A long query would be added to the page with every row.
    var isShort: Bool { query.utf8.count <= 1_000 }

    var query: String { parameters.query }

    /// The address with this value for a parameter, instead of all earlier ones.
    ///
    /// - Parameter value: `nil` for the address without the parameter.
    func setting(_ name: String, to value: String?) -> PageAddress {
        var address = self
        address.parameters = parameters.setting(name, to: value)
        return address
    }

    func values(_ name: String) -> [String] { parameters.all(name) }
}

extension QueryParameters {
    /// The parameters without the fields that a form sends although nothing was entered. An empty filter stays:
    /// it selects what has no name.
    var withoutEmptyFields: QueryParameters {
        let filters = Dimension.filters.map(\.rawValue)
        return QueryParameters(pairs.filter { !$0.value.isEmpty || filters.contains($0.name) })
    }
}
