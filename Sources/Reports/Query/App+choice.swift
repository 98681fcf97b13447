public import DeliveryModel
public import PostgresClient

extension App {
    /// The app with this name; without a name, the only app that exists.
    ///
    /// - Throws: ``ReportError/noApp``, ``ReportError/appNotNamed(known:)``,
    ///   ``ReportError/unknownApp(_:known:)``.
    public static func named(_ slug: String?, among apps: [App]) throws(ReportError) -> App {
        guard let first = apps.first else { throw .noApp }
        let known = apps.map(\.slug)
        guard let slug else {
            guard apps.count == 1 else { throw .appNotNamed(known: known) }
            return first
        }
        guard let app = apps.first(where: { $0.slug == slug }) else {
            throw .unknownApp(slug, known: known)
        }
        return app
    }

    /// The values that a dimension has ever had, by name: campaigns that were sent, versions that
    /// reported. The empty value means none or unknown.
    ///
    /// - Parameter dimension: one of `Dimension.filters`; spans of time have no values.
    public func values(of dimension: Dimension, on connection: PostgresConnection) throws(PostgresError)
        -> [String]
    {
        try connection.query(.Reports.knownValues, [.value(appID), .value(dimension.rawValue)])
            .column("value")
    }

    /// Notes about values that match nothing: a report on a misspelled campaign is all zeros, like bad news.
    ///
    /// - Parameter report: the name of the report. That of permissions counts installations, and only the
    ///   values of notifications are known without reading them all.
    package func notes(
        on filters: [ReportFilter], report: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> [String] {
        var notes: [String] = []
        for filter in filters where report != PermissionsReport.name || !filter.dimension.isOfInstallation {
            let known = try values(of: filter.dimension, on: connection)
            notes += filter.values.filter { !known.contains($0) }
                .map { filter.dimension.note(on: $0, known: known, app: slug) }
        }
        return notes
    }
}

extension Dimension {
    /// The note on a value that the app never had: names the closest value or, if at most 8 are known, all.
    ///
    /// - Parameter known: the values that the app has had; the empty one means "none".
    package func note(on name: String, known: [String], app: String) -> String {
        let typed = name.isEmpty ? "without \(words)" : "with the \(words) '\(name.controlsEscaped)'"
        let beginning = "note: \(app) has nothing \(typed)"
        let named = known.filter { !$0.isEmpty }
        if let closest = closestName(to: name, among: named) {
            return "\(beginning) (did you mean '\(closest.controlsEscaped)'?)"
        }
        guard (1...8).contains(named.count) else { return beginning }
        return "\(beginning). Known: \(named.map(\.controlsEscaped).joined(separator: ", "))"
    }

    /// `app version`, as shown to users.
    package var words: String { rawValue.replacing("_", with: " ") }
}
