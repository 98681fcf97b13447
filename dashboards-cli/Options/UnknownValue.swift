internal import Rendering
internal import Reports
internal import Wording

/// A filter value that the app has never had.
struct UnknownValue {
    let name: String
    let dimension: Dimension
    /// The values that the app has had; the empty one means "none".
    let known: [String]

    private static let mostNamed = 8

    /// The note about it: names the closest value or, if there are only a few, all known values.
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
