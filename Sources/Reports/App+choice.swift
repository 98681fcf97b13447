public import Access
public import PostgresClient
internal import SQLFiles

extension App {
    /// The app of that name; without a name the only one there is.
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

    /// The campaigns the app has sent, by name; the empty one stands for notifications without a campaign.
    public func campaigns(on connection: PostgresConnection) throws(PostgresError) -> [String] {
        let rows = try connection.query(.Reports.campaigns, [.value(appID)])
        var keys: [String] = []
        for row in rows { keys.append(try row.get("key")) }
        return keys
    }
}
