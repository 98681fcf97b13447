public import Access
public import PostgresClient
internal import SQLFiles

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
}
