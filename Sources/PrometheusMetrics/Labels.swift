/// The labels of one series, sorted by name.
struct Labels: Hashable, Sendable {
    private let names: [String]
    private let values: [String]

    func replacingValues(by value: String) -> Labels {
        Labels(names: names, values: names.map { _ in value })
    }

    /// `{code="too_old",le="0.5"}`; empty without labels.
    func text(and more: (name: String, value: String)? = nil) -> String {
        var pairs = zip(names, values).map { "\($0)=\"\(Self.escaped($1))\"" }
        if let more { pairs.append("\(more.name)=\"\(more.value)\"") }
        return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    /// Makes the name match `[a-zA-Z_][a-zA-Z0-9_]*`; `le` is reserved for histograms.
    private static func sanitized(_ name: String) -> String {
        name == "le" ? "exported_le" : sanitizedName(name, allowsColon: false)
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

extension Labels {
    init(_ dimensions: [(String, String)]) {
        let sorted = dimensions.map { (name: Self.sanitized($0.0), value: $0.1) }.sorted { $0.name < $1.name }
        self.init(names: sorted.map(\.name), values: sorted.map(\.value))
    }
}

/// The name with an underscore instead of each character that Prometheus does not allow there.
func sanitizedName(_ name: String, allowsColon: Bool) -> String {
    let text = String(
        name.unicodeScalars.map { scalar -> Character in
            let isAllowed =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
                    || (allowsColon && scalar == ":"))
            return isAllowed ? Character(scalar) : "_"
        })
    guard let first = text.first, !first.isNumber else { return "_" + text }
    return text
}
