internal import Reports

/// A value to filter by that an app has never had.
struct UnknownValue {
    let name: String
    let dimension: Dimension
    /// What it has had; the empty one stands for none.
    let known: [String]

    private static let mostNamed = 8

    /// Names the closest value, or else the values there are, when they are few.
    func note(app: String) -> String {
        let typed =
            name.isEmpty
            ? "without \(dimension.words)" : "with the \(dimension.words) '\(printable(name))'"
        let beginning = "note: \(app) has nothing \(typed)"
        let named = known.filter { !$0.isEmpty }
        if let closest = closestName(to: name, among: named) {
            return "\(beginning) (did you mean '\(printable(closest))'?)"
        }
        guard !named.isEmpty, named.count <= Self.mostNamed else { return beginning }
        return "\(beginning). Known: \(named.map(printable).joined(separator: ", "))"
    }
}
