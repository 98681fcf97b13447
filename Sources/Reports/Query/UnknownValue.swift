package import Access
package import PostgresClient
internal import Wording

/// A filter value that the app has never had.
package struct UnknownValue {
    package let name: String
    package let dimension: Dimension
    /// The values that the app has had; the empty one means "none".
    package let known: [String]

    private static let mostNamed = 8

    /// The note about it: names the closest value or, if there are only a few, all known values.
    package func note(app: String) -> String {
        let typed =
            name.isEmpty
            ? "without \(dimension.words)" : "with the \(dimension.words) '\(name.controlsEscaped)'"
        let beginning = "note: \(app) has nothing \(typed)"
        let named = known.filter { !$0.isEmpty }
        if let closest = closestName(to: name, among: named) {
            return "\(beginning) (did you mean '\(closest.controlsEscaped)'?)"
        }
        guard !named.isEmpty, named.count <= Self.mostNamed else { return beginning }
        return "\(beginning). Known: \(named.map(\.controlsEscaped).joined(separator: ", "))"
    }
}

extension App {
    /// Notes about values that match nothing: a report about a misspelled campaign is all zeros and looks like bad news.
    ///
    /// - Parameter report: the name of the report. That of permissions counts installations, and only the values of
    ///   notifications are known without reading them all.
    package func notes(
        on filters: [ReportFilter], report: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> [String] {
        var notes: [String] = []
        for filter in filters where report != PermissionsReport.name || !filter.dimension.isOfInstallation {
            let known = try values(of: filter.dimension, on: connection)
            for name in filter.values where !known.contains(name) {
                notes.append(
                    UnknownValue(name: name, dimension: filter.dimension, known: known).note(app: slug))
            }
        }
        return notes
    }
}

extension Dimension {
    /// `app version`, as shown to users.
    package var words: String { rawValue.replacing("_", with: " ") }
}
