internal import Foundation

/// The address of a page with its query, which is all its state.
struct PageAddress: Sendable {
    let path: String
    private(set) var pairs: [(name: String, value: String)]

    init(path: String, _ parameters: ReportParameters) {
        self.path = path
        pairs = parameters.pairs.filter { !$0.value.isEmpty }
    }

    var text: String {
        let query = pairs.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// The address with this value for a parameter, instead of all earlier ones; without the parameter if the value is empty.
    func setting(_ name: String, to value: String) -> PageAddress {
        var address = self
        address.pairs.removeAll { $0.name == name }
        if !value.isEmpty { address.pairs.append((name, value)) }
        return address
    }

    /// The address without one value of a parameter.
    func removing(_ name: String, _ value: String) -> PageAddress {
        var address = self
        address.pairs.removeAll { $0.name == name && $0.value == value }
        return address
    }

    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}

extension String {
    /// As a name or value in a query, or a segment of a path: everything but unreserved characters is percent-encoded.
    var queryEncoded: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension CharacterSet {
    /// RFC 3986, section 2.3.
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
