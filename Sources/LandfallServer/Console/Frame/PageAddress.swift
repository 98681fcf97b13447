internal import Wording

/// The address of a page with its query, which is all its state.
struct PageAddress: Sendable {
    let path: String
    private(set) var pairs: [(name: String, value: String)]

    init(path: String, _ parameters: ReportParameters) {
        self.path = path
        pairs = parameters.withoutEmptyFields.pairs
    }

    var text: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// Whether many links of a page may repeat the query. A long query would be added to the page with every row.
    var isShort: Bool { query.utf8.count <= 1_000 }

    var query: String {
        pairs.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }.joined(separator: "&")
    }

    /// The address with this value for a parameter, instead of all earlier ones.
    ///
    /// - Parameter value: `nil` for the address without the parameter.
    func setting(_ name: String, to value: String?) -> PageAddress {
        var address = self
        address.pairs.removeAll { $0.name == name }
        if let value { address.pairs.append((name, value)) }
        return address
    }

    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
